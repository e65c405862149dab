import Joi from "@hapi/joi";
import { type Tool, textOf, tool } from "@parley/core";
import { toolsTexts } from "../texts.ts";
import type { JsonService } from "./json-service.ts";

/** Descriptions of the WMO weather codes. */
const WEATHER_BY_CODE: Readonly<Record<number, string>> = {
  0: "clear",
  1: "mostly clear",
  2: "partly cloudy",
  3: "overcast",
  45: "fog",
  48: "freezing fog",
  51: "light drizzle",
  53: "drizzle",
  55: "heavy drizzle",
  56: "light freezing drizzle",
  57: "freezing drizzle",
  61: "light rain",
  63: "rain",
  65: "heavy rain",
  66: "light freezing rain",
  67: "freezing rain",
  71: "light snow",
  73: "snow",
  75: "heavy snow",
  77: "snow grains",
  80: "light showers",
  81: "showers",
  82: "violent showers",
  85: "light snow showers",
  86: "snow showers",
  95: "thunderstorm",
  96: "thunderstorm with light hail",
  99: "thunderstorm with hail",
};
const FORECAST_DAYS = 4;

interface GeocodingResponse {
  readonly results: readonly {
    readonly name: string;
    readonly country?: string;
    readonly admin1?: string;
    readonly latitude: number;
    readonly longitude: number;
  }[];
}
const text = Joi.string().allow("");
const geocodingSchema = Joi.object<GeocodingResponse>({
  results: Joi.array()
    .items(
      Joi.object({
        name: text.required(),
        country: text,
        admin1: text,
        latitude: Joi.number().required(),
        longitude: Joi.number().required(),
      }).unknown(),
    )
    .default([]),
});

interface ForecastResponse {
  readonly current: {
    readonly time: string;
    readonly temperature_2m: number;
    readonly apparent_temperature: number;
    readonly relative_humidity_2m: number;
    readonly wind_speed_10m: number;
    readonly weather_code: number;
  };
  readonly daily: {
    readonly time: readonly string[];
    readonly weather_code: readonly number[];
    readonly temperature_2m_min: readonly number[];
    readonly temperature_2m_max: readonly number[];
    readonly precipitation_probability_max: readonly (number | null)[];
  };
}
const numbers = Joi.array().items(Joi.number().allow(null)).required();
const figure = Joi.number().required();
const forecastSchema = Joi.object<ForecastResponse>({
  current: Joi.object({
    time: text.required(),
    temperature_2m: figure,
    apparent_temperature: figure,
    relative_humidity_2m: figure,
    wind_speed_10m: figure,
    weather_code: figure,
  })
    .unknown()
    .required(),
  daily: Joi.object({
    time: Joi.array().items(text).required(),
    weather_code: numbers,
    temperature_2m_min: numbers,
    temperature_2m_max: numbers,
    precipitation_probability_max: numbers,
  })
    .unknown()
    .required(),
});

export interface WeatherDeps {
  readonly service: JsonService;
  readonly geocodingUrl: string;
  readonly forecastUrl: string;
  readonly isEnabled: () => boolean;
}

/** Creates the tool for the weather of a place, from Open-Meteo. */
export function createWeatherTool({ service, geocodingUrl, forecastUrl, isEnabled }: WeatherDeps): Tool {
  return tool<{ readonly city: string }>({
    name: "get_weather",
    help: { en: "The weather of a place now and in the next days.", zh: "某地现在和未来几天的天气。" },
    purpose: "The weather of a place now and in the next days, in °C, km/h and %.",
    args: Joi.object({ city: textOf(200).trim().min(1).disallow("").required() }),
    scope: "gateway.read",
    risk: "read",
    audience: ["ai"],
    group: "time_and_web",
    answersAreData: true,
    isOffered: isEnabled,
    async run({ city }, { signal }) {
      const search = buildUrl(geocodingUrl, "/v1/search", { name: city, count: "1" });
      const [place] = (await service.get(search, geocodingSchema, signal)).results;
      if (!place) throw toolsTexts.error("not_found", "no_place", { city }, { field: "city" });
      const { current, daily } = await service.get(
        buildUrl(forecastUrl, "/v1/forecast", {
          latitude: String(place.latitude),
          longitude: String(place.longitude),
          current: "temperature_2m,apparent_temperature,relative_humidity_2m,wind_speed_10m,weather_code",
          daily: "weather_code,temperature_2m_min,temperature_2m_max,precipitation_probability_max",
          forecast_days: String(FORECAST_DAYS),
          timezone: "auto",
        }),
        forecastSchema,
        signal,
      );
      return {
        place: [place.name, place.admin1, place.country].filter(Boolean).join(", "),
        now: {
          at: current.time,
          sky: describeWeather(current.weather_code),
          temperature: current.temperature_2m,
          feels_like: current.apparent_temperature,
          humidity: current.relative_humidity_2m,
          wind: current.wind_speed_10m,
        },
        days: daily.time.map((date, at) => ({
          date,
          sky: describeWeather(daily.weather_code[at]),
          min: daily.temperature_2m_min[at] ?? null,
          max: daily.temperature_2m_max[at] ?? null,
          rain: daily.precipitation_probability_max[at] ?? null,
        })),
      };
    },
  });
}

function describeWeather(code: number | null | undefined): string {
  return WEATHER_BY_CODE[code ?? -1] ?? "unknown";
}

export function buildUrl(base: string, path: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(`${base.replace(/\/+$/, "")}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
