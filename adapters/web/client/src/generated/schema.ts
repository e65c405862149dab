// Made by `node .config/client-types.mjs`; not edited by hand.

export interface paths {
    readonly "/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** the console */
        readonly get: operations["get_root"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/.well-known/oauth-authorization-server": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** the endpoints that clients log in with (RFC 8414) */
        readonly get: operations["get_root_well_known_oauth_authorization_server"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/.well-known/oauth-protected-resource": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** how clients log in for MCP (RFC 9728) */
        readonly get: operations["get_root_well_known_oauth_protected_resource"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/.well-known/oauth-protected-resource/mcp": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** how clients log in for MCP (RFC 9728) */
        readonly get: operations["get_root_well_known_oauth_protected_resource_mcp"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/account/logins": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * where the caller is signed in
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_account_logins"];
        readonly put?: never;
        readonly post?: never;
        /**
         * end the caller's logins but the one that asks
         * @description Needs the scope `read`.
         */
        readonly delete: operations["delete_account_logins"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/account/logins/{token_hash}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * end one of the caller's logins
         * @description Needs the scope `read`.
         */
        readonly delete: operations["delete_account_logins_by_token_hash"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/account/password": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * change the caller's password, by showing the old one
         * @description Needs the scope `read`.
         */
        readonly post: operations["post_account_password"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/accounts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the accounts
         * @description Needs the scope `admin`.
         */
        readonly get: operations["get_accounts"];
        readonly put?: never;
        /**
         * create a account
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_accounts"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/accounts/{account_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one account
         * @description Needs the scope `admin`.
         */
        readonly get: operations["get_accounts_by_account_id"];
        /**
         * change a account
         * @description Needs the scope `admin`.
         */
        readonly put: operations["put_accounts_by_account_id"];
        readonly post?: never;
        /**
         * delete a account
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_accounts_by_account_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/accounts/{account_id}/new-password": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * give an account another password; it is shown once
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_accounts_by_account_id_new_password"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-config": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the AI configuration and the chat model in force
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_ai_config"];
        /**
         * change the AI configuration
         * @description Needs the scope `admin`.
         */
        readonly put: operations["put_ai_config"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-config/all-purposes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the model that serves each purpose
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_ai_config_all_purposes"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-config/by-purpose/{purpose}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the model that serves a purpose
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_ai_config_by_purpose_by_purpose"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-config/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * try a connection, or the chat model in force
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_ai_config_test"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the models
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_ai_models"];
        readonly put?: never;
        /**
         * create a model
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_ai_models"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/{model_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * change a model
         * @description Needs the scope `admin`.
         */
        readonly put: operations["put_ai_models_by_model_id"];
        readonly post?: never;
        /**
         * delete a model
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_ai_models_by_model_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/{model_id}/apply": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * make a model the active one of its purpose
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_ai_models_by_model_id_apply"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/{model_id}/clone": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * copy a model with its key
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_ai_models_by_model_id_clone"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/{model_id}/set-purpose": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * move a model to another purpose
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_ai_models_by_model_id_set_purpose"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/{model_id}/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * call a model once
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_ai_models_by_model_id_test"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/{model_id}/toggle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * switch a model on or off
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_ai_models_by_model_id_toggle"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/active-by-purpose": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the active model of each purpose
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_ai_models_active_by_purpose"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/available": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * which models a server has
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_ai_models_available"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/by-purpose/{purpose}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the models of a purpose, by priority
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_ai_models_by_purpose_by_purpose"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/failover-queue/{purpose}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the models of a purpose in the order they are tried
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_ai_models_failover_queue_by_purpose"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/failover-reorder": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * give models of a purpose other places in its queue
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_ai_models_failover_reorder"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/failover-reset": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * forget the failures of a model, or of all
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_ai_models_failover_reset"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/failover-status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * how each model did lately
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_ai_models_failover_status"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/protocols": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the wire protocols that are loaded
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_ai_models_protocols"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/ai-models/purposes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what models are used for
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_ai_models_purposes"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/api-keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the API keys
         * @description Needs the scope `admin`.
         */
        readonly get: operations["get_api_keys"];
        readonly put?: never;
        /**
         * create a API key
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_api_keys"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/api-keys/{key_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one API key
         * @description Needs the scope `admin`.
         */
        readonly get: operations["get_api_keys_by_key_id"];
        /**
         * change a API key
         * @description Needs the scope `admin`.
         */
        readonly put: operations["put_api_keys_by_key_id"];
        readonly post?: never;
        /**
         * delete a API key
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_api_keys_by_key_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/automation/calendar": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * when what runs by itself comes next
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_automation_calendar"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/avatar/comment": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * avatar comment
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_avatar_comment"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/avatar/history": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * get the avatar history
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_avatar_history"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/avatar/menu-options": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * avatar menu options
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_avatar_menu_options"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/avatar/random-talk": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * avatar random talk
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_avatar_random_talk"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/avatar/reset": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * reset the avatar history
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_avatar_reset"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/broadcasts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what was said to many, newest first
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_broadcasts"];
        readonly put?: never;
        /**
         * say something to many conversations of channels, as the bot
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_broadcasts"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/broadcasts/{broadcast_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * how far a broadcast is
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_broadcasts_by_broadcast_id"];
        readonly put?: never;
        readonly post?: never;
        /**
         * forget a broadcast; what was said stays said
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_broadcasts_by_broadcast_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/broadcasts/{broadcast_id}/continue": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * send it to those who wait; failed: also to those that nothing was sent to
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_broadcasts_by_broadcast_id_continue"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/broadcasts/{broadcast_id}/recipients": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * whom it is for, and what became of it with each
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_broadcasts_by_broadcast_id_recipients"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/broadcasts/{broadcast_id}/stop": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * send no more of it
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_broadcasts_by_broadcast_id_stop"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/broadcasts/preview": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * who would be reached; nothing is sent
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_broadcasts_preview"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/channels": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the channels
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_channels"];
        readonly put?: never;
        /**
         * create a channel
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_channels"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/channels/{channel_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * change a channel
         * @description Needs the scope `admin`.
         */
        readonly put: operations["put_channels_by_channel_id"];
        readonly post?: never;
        /**
         * delete a channel
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_channels_by_channel_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/channels/{channel_id}/check": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * ask the platform whose credentials these are, before or after they are saved
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_channels_by_channel_id_check"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/channels/{channel_id}/test-message": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * send a text to a conversation of the channel, and say what the platform answers
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_channels_by_channel_id_test_message"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/channels/{channel_id}/toggle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * switch a channel on or off
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_channels_by_channel_id_toggle"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/channels/imB/{channel_id}/set-webhook": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * register the webhook URL with imB
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_channels_imB_by_channel_id_set_webhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/channels/imB/{channel_id}/webhook": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** imB inbound webhook, checked by the secret header */
        readonly post: operations["post_channels_imB_by_channel_id_webhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/channels/imC-ws/{channel_id}/start": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * start the imC socket connection
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_channels_imC_ws_by_channel_id_start"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/channels/imC-ws/{channel_id}/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * imC socket status
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_channels_imC_ws_by_channel_id_status"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/channels/imC-ws/{channel_id}/stop": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * stop the imC socket connection
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_channels_imC_ws_by_channel_id_stop"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/channels/imC/{channel_id}/webhook": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** imC inbound webhook, checked by signature or token */
        readonly post: operations["post_channels_imC_by_channel_id_webhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/channels/presets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * channels that can be made by one click
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_channels_presets"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/channels/presets/{preset_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * create a channel from a preset
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_channels_presets_by_preset_id"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/characters": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the characters
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_characters"];
        readonly put?: never;
        /**
         * create a character
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_characters"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/characters/{character_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one character
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_characters_by_character_id"];
        /**
         * change a character
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_characters_by_character_id"];
        readonly post?: never;
        /**
         * delete a character
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_characters_by_character_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/characters/{character_id}/debug/latest-turn": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * how the character took the last message, and why
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_characters_by_character_id_debug_latest_turn"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/characters/{character_id}/memories": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list a character's memories
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_characters_by_character_id_memories"];
        readonly put?: never;
        /**
         * add a memory to a character
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_characters_by_character_id_memories"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/characters/{character_id}/memories/{memory_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * delete a character's memory
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_characters_by_character_id_memories_by_memory_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/characters/{character_id}/relationships": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * how the character stands to a person
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_characters_by_character_id_relationships"];
        /**
         * change how the character stands to a person
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_characters_by_character_id_relationships"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/characters/{character_id}/state": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * how the character feels in a conversation
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_characters_by_character_id_state"];
        /**
         * change how the character feels in a conversation
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_characters_by_character_id_state"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/characters/runtime/initialize": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * get the characters ready
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_characters_runtime_initialize"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/characters/runtime/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what the characters' engine does
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_characters_runtime_status"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/commands": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what people can type in a conversation
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_commands"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/config-transfer/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * make an encrypted configuration package
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_config_transfer_export"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/config-transfer/import": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * look into a configuration package, or take it in
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_config_transfer_import"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/config-transfer/sections": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what a configuration package can hold
         * @description Needs the scope `admin`.
         */
        readonly get: operations["get_config_transfer_sections"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/confirmations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the tool calls that wait for a person
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_confirmations"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/confirmations/{request_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * allow or refuse a tool call that waits; with a login, an API key is 403
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_confirmations_by_request_id"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/console/areas": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the areas of the console that the caller may see, as its navigation shows them
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_console_areas"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/console/resources": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the kinds of records that the caller may read: their columns, forms and actions
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_console_resources"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/docs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** this interface, as a page */
        readonly get: operations["get_docs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the stored files, the newest first
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_files"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/files/{safe_name}/preview": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what a stored file looks like
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_files_by_safe_name_preview"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/{channel_id}/webhook": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** unified webhook entrance, checked by the channel's auth setting */
        readonly post: operations["post_gateway_by_channel_id_webhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/dead-letters": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what was given up and waits for a person
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_gateway_dead_letters"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/dead-letters/{item_id}/retry": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * try again what was given up; confirm what may arrive twice
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_gateway_dead_letters_by_item_id_retry"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/dead-letters/discard": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * put aside what was given up: one, or all of a channel or cause
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_gateway_dead_letters_discard"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what was sent or is to be sent, newest first
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_gateway_deliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what happened to messages, newest first
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_gateway_events"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/events/{trace_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the events of one trace, oldest first
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_gateway_events_by_trace_id"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * health check
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_gateway_health"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/logs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * all records of the gateway, newest first
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_gateway_logs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/logs/lookup/{value}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * say what kind of id this is
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_gateway_logs_lookup_by_value"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/logs/trace/{trace_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * everything about one trace: events, deliveries, tool calls, in one timeline
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_gateway_logs_trace_by_trace_id"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/messages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * find what came in by its text, its sender, its channel and its time, newest first
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_gateway_messages"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/minutes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the last hour minute by minute: messages, answers, times
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_gateway_minutes"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/nodes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the processes that work here
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_gateway_nodes"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/queue/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * queue status
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_gateway_queue_status"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/stats": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * runtime statistics
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_gateway_stats"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/worker/start": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * start the background worker
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_gateway_worker_start"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/gateway/worker/stop": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * stop the background worker: what comes in is stored and waits
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_gateway_worker_stop"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/heartbeat": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * how the heartbeat is set up
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_heartbeat"];
        /**
         * set up the heartbeat
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_heartbeat"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/heartbeat/content": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the text of the heartbeat
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_heartbeat_content"];
        /**
         * replace the text of the heartbeat
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_heartbeat_content"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/heartbeat/run": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * run the heartbeat now
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_heartbeat_run"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/imA/groups": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list imA groups
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_imA_groups"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/imA/link-session": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * link an imA session
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_imA_link_session"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/imA/messages/{imA_type}/{imA_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * get imA messages
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_imA_messages_by_imA_type_by_imA_id"];
        readonly put?: never;
        readonly post?: never;
        /**
         * delete stored imA messages
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_imA_messages_by_imA_type_by_imA_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/imA/sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list imA sessions
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_imA_sessions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/imA/sessions/{session_id}/send": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * send an imA message
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_imA_sessions_by_session_id_send"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/imA/sessions/{session_id}/sync": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * sync an imA session
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_imA_sessions_by_session_id_sync"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/imA/users": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list imA users
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_imA_users"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/jobs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * jobs, newest first; those that wait in the order of their time
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_jobs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/jobs/{job_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one job with its log and its steps
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_jobs_by_job_id"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/jobs/{job_id}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * end a job that waits or runs
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_jobs_by_job_id_cancel"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/jobs/{job_id}/retry": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * run a job again that is dead or cancelled, or now that waits for its time
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_jobs_by_job_id_retry"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/knowledge": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the documents
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_knowledge"];
        readonly put?: never;
        /**
         * create a document
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_knowledge"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/knowledge/{doc_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one document
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_knowledge_by_doc_id"];
        /**
         * change a document
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_knowledge_by_doc_id"];
        readonly post?: never;
        /**
         * delete a document
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_knowledge_by_doc_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/knowledge/{doc_id}/index": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * make the vectors of a document anew
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_knowledge_by_doc_id_index"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/knowledge/{doc_id}/passages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the passages of a document
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_knowledge_by_doc_id_passages"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/knowledge/batch": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * import documents
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_knowledge_batch"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/knowledge/batch-delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * delete documents
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_knowledge_batch_delete"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/knowledge/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * all documents
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_knowledge_export"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/knowledge/files": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * queue files to be read into documents
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_knowledge_files"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/knowledge/pages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * queue a page of the web to be read into a document
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_knowledge_pages"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/knowledge/preview": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * what the model would be shown with a question
         * @description Needs the scope `read`.
         */
        readonly post: operations["post_knowledge_preview"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/knowledge/rebuild": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * make the whole index anew
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_knowledge_rebuild"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/knowledge/search": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * search the documents
         * @description Needs the scope `read`.
         */
        readonly post: operations["post_knowledge_search"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/knowledge/stats": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * how many documents there are and how far their index is
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_knowledge_stats"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/login": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** sign in */
        readonly post: operations["post_login"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/login-tokens": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the login tokens
         * @description Needs the scope `admin`.
         */
        readonly get: operations["get_login_tokens"];
        readonly put?: never;
        /**
         * make a login token; its text is shown once
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_login_tokens"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/login-tokens/{token_hash}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * revoke a login token
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_login_tokens_by_token_hash"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/logout": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** end a login */
        readonly post: operations["post_logout"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/logs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * log lines, newest first
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_logs"];
        readonly put?: never;
        /**
         * write a log line
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_logs"];
        /**
         * delete log lines
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_logs"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/logs/cleanup": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * delete old log files
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_logs_cleanup"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/logs/download": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * all log lines that a filter finds, one JSON object a line
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_logs_download"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/mcp-servers": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the MCP servers
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_mcp_servers"];
        readonly put?: never;
        /**
         * create a MCP server
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_mcp_servers"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/mcp-servers/{server_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * change a MCP server
         * @description Needs the scope `admin`.
         */
        readonly put: operations["put_mcp_servers_by_server_id"];
        readonly post?: never;
        /**
         * delete a MCP server
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_mcp_servers_by_server_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/mcp-servers/{server_id}/accept-tools": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * take the tools of an MCP server as they are now
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_mcp_servers_by_server_id_accept_tools"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/mcp-servers/{server_id}/call": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * call a tool of an MCP server by hand
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_mcp_servers_by_server_id_call"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/mcp-servers/{server_id}/connect": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * connect an MCP server
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_mcp_servers_by_server_id_connect"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/mcp-servers/{server_id}/disconnect": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * disconnect an MCP server
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_mcp_servers_by_server_id_disconnect"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/mcp-servers/{server_id}/sign-in": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * begin to sign in to an MCP server
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_mcp_servers_by_server_id_sign_in"];
        /**
         * sign out of an MCP server
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_mcp_servers_by_server_id_sign_in"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/mcp-servers/{server_id}/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * try an MCP server with a connection of its own
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_mcp_servers_by_server_id_test"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/mcp-servers/{server_id}/tools": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the tools of a connected MCP server
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_mcp_servers_by_server_id_tools"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/mcp-servers/oauth/callback": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** a browser comes back from where somebody signed in to an MCP server */
        readonly get: operations["get_mcp_servers_oauth_callback"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/mcp-service": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * how MCP clients reach this service, and what they may call
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_mcp_service"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/memory": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the memories
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_memory"];
        readonly put?: never;
        /**
         * create a memory
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_memory"];
        /**
         * forget all memories, of a person, of a character
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_memory"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/memory/{memory_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * change a memory
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_memory_by_memory_id"];
        readonly post?: never;
        /**
         * delete a memory
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_memory_by_memory_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/memory/batch-delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * delete memories
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_memory_batch_delete"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/memory/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * memories as a file, with the history of what changed
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_memory_export"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/memory/import": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * take in exported memories
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_memory_import"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/memory/merge": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * make one memory of several
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_memory_merge"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/memory/people": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * of whom something is remembered, and how much
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_memory_people"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/message-favorites": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * collections of kept messages, of all sessions
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_message_favorites"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/message-filter": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * read the switch and all rules
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_message_filter"];
        readonly put?: never;
        /**
         * create a rule (no channel: global rule)
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_message_filter"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/message-filter/{rule_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one rule
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_message_filter_by_rule_id"];
        /**
         * change pattern, type, action, filter_target or enabled of a rule
         * @description Needs the scope `admin`.
         */
        readonly put: operations["put_message_filter_by_rule_id"];
        readonly post?: never;
        /**
         * delete a rule (query channel, session_id narrow)
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_message_filter_by_rule_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/message-filter/hits": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what the rules found in messages, the last first; with the texts for administrators
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_message_filter_hits"];
        readonly put?: never;
        readonly post?: never;
        /**
         * forget what the rules found; the counts stay
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_message_filter_hits"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/message-filter/import": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * add a list of keywords
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_message_filter_import"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/message-filter/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * what the rules would do to a text
         * @description Needs the scope `read`.
         */
        readonly post: operations["post_message_filter_test"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/message-filter/toggle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * set the master switch
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_message_filter_toggle"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/messages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * find words in what was said, and answers that were rated
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_messages"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/nodes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the nodes that work on one database, and who holds what
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_nodes"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/nodes/{node_id}/drain": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * have a node give what it holds to the others and take nothing more
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_nodes_by_node_id_drain"];
        /**
         * let a node take its share again
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_nodes_by_node_id_drain"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/oauth-grants": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the clients with access
         * @description Needs the scope `admin`.
         */
        readonly get: operations["get_oauth_grants"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/oauth-grants/{grant_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one client with access
         * @description Needs the scope `admin`.
         */
        readonly get: operations["get_oauth_grants_by_grant_id"];
        readonly put?: never;
        readonly post?: never;
        /**
         * delete a client with access
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_oauth_grants_by_grant_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/openapi.json": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** this interface, as OpenAPI 3.1 */
        readonly get: operations["get_openapi_json"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/person-links": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the linked people
         * @description Needs the scope `admin`.
         */
        readonly get: operations["get_person_links"];
        readonly put?: never;
        /**
         * create a linked person
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_person_links"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/person-links/{link_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one linked person
         * @description Needs the scope `admin`.
         */
        readonly get: operations["get_person_links_by_link_id"];
        /**
         * change a linked person
         * @description Needs the scope `admin`.
         */
        readonly put: operations["put_person_links_by_link_id"];
        readonly post?: never;
        /**
         * delete a linked person
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_person_links_by_link_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the personality in force
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_personality"];
        /**
         * change the personality in force
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_personality"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/ai-generate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * let a model write a character card
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_personality_ai_generate"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/ai-generate-first-message": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * let a model write opening words
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_personality_ai_generate_first_message"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/ai-generate-state": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * let a model say how a character begins
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_personality_ai_generate_state"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/clean-unused-portraits": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * delete portraits that nothing has
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_personality_clean_unused_portraits"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/custom-presets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the presets
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_personality_custom_presets"];
        readonly put?: never;
        /**
         * create a preset
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_personality_custom_presets"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/custom-presets/{preset_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one preset
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_personality_custom_presets_by_preset_id"];
        /**
         * change a preset
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_personality_custom_presets_by_preset_id"];
        readonly post?: never;
        /**
         * delete a preset
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_personality_custom_presets_by_preset_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/custom-presets/{preset_id}/upload-to-platform": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * give a preset to a platform
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_personality_custom_presets_by_preset_id_upload_to_platform"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * a character card as a file
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_personality_export"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/export-all": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * all presets as one file
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_personality_export_all"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/generate-portrait": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * let a model draw a portrait
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_personality_generate_portrait"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/import": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * import a character card
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_personality_import"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/import-all": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * import several character cards
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_personality_import_all"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/portrait": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * store a portrait
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_personality_portrait"];
        /**
         * delete a portrait
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_personality_portrait"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/presets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * presets that come with the service
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_personality_presets"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/personality/preview": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * what a model would be told of a card
         * @description Needs the scope `read`.
         */
        readonly post: operations["post_personality_preview"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the plugins, where they come from, their state and settings
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_plugins"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/plugins/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * switch a plugin or change its settings
         * @description Needs the scope `admin`.
         */
        readonly put: operations["put_plugins_by_id"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/prompts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the prompts
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_prompts"];
        readonly put?: never;
        /**
         * create a prompt
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_prompts"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/prompts/{prompt_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one prompt
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_prompts_by_prompt_id"];
        /**
         * change a prompt
         * @description Needs the scope `chat`.
         */
        readonly put: operations["put_prompts_by_prompt_id"];
        readonly post?: never;
        /**
         * delete a prompt
         * @description Needs the scope `chat`.
         */
        readonly delete: operations["delete_prompts_by_prompt_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/public/{public_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** a published session */
        readonly get: operations["get_public_by_public_id"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/push/public-key": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the key that browsers subscribe with
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_push_public_key"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/push/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * whether notifications can be sent, and how many browsers the caller has subscribed
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_push_status"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/push/subscribe": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * subscribe a browser, of all sessions or of one
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_push_subscribe"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/push/subscriptions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the browsers that the caller has subscribed, newest first
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_push_subscriptions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/push/test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * send a notification to the caller's browsers now
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_push_test"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/push/unsubscribe": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * end a subscription of the caller
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_push_unsubscribe"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list runs of workflows, tasks and the heartbeat, newest first
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_runs"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one run with its steps
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_runs_by_run_id"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/runs/{run_id}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * cancel a run
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_runs_by_run_id_cancel"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/schedules": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * schedules and when they run next
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_schedules"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/schedules/{schedule_id}/run": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * run a schedule now; its next time stays
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_schedules_by_schedule_id_run"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/schedules/{schedule_id}/toggle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * switch a schedule on or off
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_schedules_by_schedule_id_toggle"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/session-folders": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * folders, and how many sessions are in each
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_session_folders"];
        /**
         * rename a folder, or take everything out of it
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_session_folders"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the sessions
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions"];
        readonly put?: never;
        /**
         * create a session
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_sessions"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one session
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id"];
        /**
         * change a session
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_sessions_by_session_id"];
        readonly post?: never;
        /**
         * delete a session
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_sessions_by_session_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/ai-summary": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * a summary of the session
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_sessions_by_session_id_ai_summary"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/archive": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * archive a session
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_sessions_by_session_id_archive"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/ask-models": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * ask several models the same; each answer is a variant of the reply
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_sessions_by_session_id_ask_models"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/bind-character": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * bind a character
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_sessions_by_session_id_bind_character"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/branches": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * where the conversation went on in more than one way
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_branches"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/branches/{branch_id}/show": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * go on with another branch; the one that is shown is kept
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_sessions_by_session_id_branches_by_branch_id_show"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/chat": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * say something and get the answer
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_sessions_by_session_id_chat"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/compress": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * replace older messages by a summary
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_sessions_by_session_id_compress"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/continue": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * say more of the last answer
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_sessions_by_session_id_continue"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/custom-prompt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the session's own prompt
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_custom_prompt"];
        /**
         * set the session's own prompt
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_sessions_by_session_id_custom_prompt"];
        readonly post?: never;
        /**
         * remove the session's own prompt
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_sessions_by_session_id_custom_prompt"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/debug": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the state of a session
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_debug"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * a session as a file
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_export"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/fork": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * go on from a message in a new session
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_sessions_by_session_id_fork"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/give-back": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * let the AI answer again
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_sessions_by_session_id_give_back"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/greetings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what its character could begin with
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_greetings"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/message-favorites": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * collections of kept messages
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_message_favorites"];
        /**
         * keep messages in a collection
         * @description Needs the scope `chat`.
         */
        readonly put: operations["put_sessions_by_session_id_message_favorites"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/messages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * messages, in pages
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_messages"];
        readonly put?: never;
        /**
         * store a message without an answer; deliver: say it to the people of a channel
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_sessions_by_session_id_messages"];
        /**
         * delete all messages
         * @description Needs the scope `chat`.
         */
        readonly delete: operations["delete_sessions_by_session_id_messages"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/messages/{message_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * change a message, or cut off what follows
         * @description Needs the scope `chat`.
         */
        readonly put: operations["put_sessions_by_session_id_messages_by_message_id"];
        readonly post?: never;
        /**
         * delete a message
         * @description Needs the scope `chat`.
         */
        readonly delete: operations["delete_sessions_by_session_id_messages_by_message_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/messages/{message_id}/answers": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * all answers to a message, those that are not shown too
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_messages_by_message_id_answers"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/messages/{message_id}/rating": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * say whether an answer was good or bad; null: neither
         * @description Needs the scope `chat`.
         */
        readonly put: operations["put_sessions_by_session_id_messages_by_message_id_rating"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/public": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * publish a session, as it is now
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_sessions_by_session_id_public"];
        /**
         * take a publication back: its link is dead at once
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_sessions_by_session_id_public"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/public/preview": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * the beginning of what would be published
         * @description Needs the scope `read`.
         */
        readonly post: operations["post_sessions_by_session_id_public_preview"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/public/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * whether a session is published, and how
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_public_status"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/regenerate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * answer again
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_sessions_by_session_id_regenerate"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/restore": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * restore an archived session
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_sessions_by_session_id_restore"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/restore-from-archive": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * bring compressed messages back
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_sessions_by_session_id_restore_from_archive"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/runtime-timeline": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * how the character's state changed
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_runtime_timeline"];
        readonly put?: never;
        /**
         * note the character's state
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_sessions_by_session_id_runtime_timeline"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/take-over": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * answer the people of a channel oneself: the AI does not until it is given back
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_sessions_by_session_id_take_over"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/todos": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what the AI means to do in a session, as it was kept with the last answer
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_todos"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/workspace/files": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list private workspace files
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_workspace_files"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/workspace/files/{filename}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * download a private workspace file
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_workspace_files_by_filename"];
        readonly put?: never;
        readonly post?: never;
        /**
         * delete a private workspace file
         * @description Needs the scope `chat`.
         */
        readonly delete: operations["delete_sessions_by_session_id_workspace_files_by_filename"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/workspace/files/{filename}/move": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * move a private file
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_sessions_by_session_id_workspace_files_by_filename_move"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/workspace/files/{filename}/move-to-shared": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * move a file to the shared area
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_sessions_by_session_id_workspace_files_by_filename_move_to_shared"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/workspace/files/{filename}/preview": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * preview a private workspace file
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_by_session_id_workspace_files_by_filename_preview"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/workspace/folders": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * create a private folder
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_sessions_by_session_id_workspace_folders"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/{session_id}/workspace/upload": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * upload to private workspace
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_sessions_by_session_id_workspace_upload"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * sessions as a file
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_sessions_export"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/sessions/import": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * take in exported sessions
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_sessions_import"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/settings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the settings in force, and what can be set
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_settings"];
        /**
         * change settings (JSON merge patch)
         * @description Needs the scope `admin`.
         */
        readonly put: operations["put_settings"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/skills": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the skills
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_skills"];
        readonly put?: never;
        /**
         * create a skill
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_skills"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/skills/{skill_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * change a skill
         * @description Needs the scope `admin`.
         */
        readonly put: operations["put_skills_by_skill_id"];
        readonly post?: never;
        /**
         * delete a skill
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_skills_by_skill_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/skills/{skill_id}/toggle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * switch a skill on or off
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_skills_by_skill_id_toggle"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/skills/storage": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the folders of skills
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_skills_storage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/skills/storage/{skill_name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what is in the folder of a skill
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_skills_storage_by_skill_name"];
        readonly put?: never;
        readonly post?: never;
        /**
         * delete the folder of a skill
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_skills_storage_by_skill_name"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/skills/storage/{skill_name}/file/{file_name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * get a file of a skill
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_skills_storage_by_skill_name_file_by_file_name"];
        readonly put?: never;
        /**
         * write a file of a skill
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_skills_storage_by_skill_name_file_by_file_name"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/skills/storage/{skill_name}/reference-md": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * read reference.md
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_skills_storage_by_skill_name_reference_md"];
        readonly put?: never;
        /**
         * write reference.md
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_skills_storage_by_skill_name_reference_md"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/skills/storage/{skill_name}/script/{script_name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * get a script of a skill
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_skills_storage_by_skill_name_script_by_script_name"];
        readonly put?: never;
        /**
         * write a script of a skill
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_skills_storage_by_skill_name_script_by_script_name"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/skills/storage/{skill_name}/skill-md": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * read skill.md
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_skills_storage_by_skill_name_skill_md"];
        readonly put?: never;
        /**
         * write skill.md
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_skills_storage_by_skill_name_skill_md"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/skills/upload-folder": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * make a skill of a folder or an archive
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_skills_upload_folder"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/startup-status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** whether the service is up */
        readonly get: operations["get_startup_status"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/stats": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the service in numbers
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_stats"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/stats/messages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * messages over time
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_stats_messages"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/stats/platforms": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * messages by channel
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_stats_platforms"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/stop": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * stop the running answer; with trace_id that one, also while it waits
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_stop"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/stt/transcribe": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * speech to text
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_stt_transcribe"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/system/findings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * what is not as it should be, and what to do about it
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_system_findings"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/system/machine": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * processor, memory and disk
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_system_machine"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/system/reload-config": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * read the configuration anew
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_system_reload_config"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/system/reload-core": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * load the plugins anew, without losing a message
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_system_reload_core"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/task-center": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list what runs by itself: the heartbeat, workflows, tasks
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_task_center"];
        readonly put?: never;
        /**
         * create a task
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_task_center"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/task-center/{task_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * change a task
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_task_center_by_task_id"];
        readonly post?: never;
        /**
         * delete a task
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_task_center_by_task_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/task-center/{task_id}/run": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * run a task now
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_task_center_by_task_id_run"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/task-center/{task_id}/toggle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * let a task run by itself, or not
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_task_center_by_task_id_toggle"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/tokens": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * token usage
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_tokens"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/tokens/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * usage rows as a table
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_tokens_export"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/tokens/rankings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * who and what used most
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_tokens_rankings"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/tools": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the tools
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_tools"];
        readonly put?: never;
        /**
         * create a tool
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_tools"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/tools/{tool_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * change a tool
         * @description Needs the scope `admin`.
         */
        readonly put: operations["put_tools_by_tool_id"];
        readonly post?: never;
        /**
         * delete a tool
         * @description Needs the scope `admin`.
         */
        readonly delete: operations["delete_tools_by_tool_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/tools/{tool_id}/toggle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * switch a tool on or off, one that comes with the service too
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_tools_by_tool_id_toggle"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/tools/try": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * call a tool that is kept or not, and see the request and its answer
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_tools_try"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/tts/audio/{filename}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * get synthesized audio
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_tts_audio_by_filename"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/tts/synthesize": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * text to speech
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_tts_synthesize"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/upload": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * upload a file
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_upload"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/verify-token": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** what a credential may do */
        readonly post: operations["post_verify_token"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/web-agent/chat": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * ask the web agent
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_web_agent_chat"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/web-agent/execute": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * run a tool of the web agent
         * @description Needs the scope `admin`.
         */
        readonly post: operations["post_web_agent_execute"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/web-agent/tools": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the tools of the web agent
         * @description Needs the scope `admin`.
         */
        readonly get: operations["get_web_agent_tools"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workflows": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the workflows
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_workflows"];
        readonly put?: never;
        /**
         * create a workflow
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_workflows"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workflows/{workflow_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one workflow
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_workflows_by_workflow_id"];
        /**
         * change a workflow
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_workflows_by_workflow_id"];
        readonly post?: never;
        /**
         * delete a workflow
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_workflows_by_workflow_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workflows/{workflow_id}/execute": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * run a workflow now
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_workflows_by_workflow_id_execute"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workflows/{workflow_id}/toggle": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * let a workflow run by itself, or not
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_workflows_by_workflow_id_toggle"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workspace/convert/pptx-to-pdf": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * convert PPTX to PDF
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_workspace_convert_pptx_to_pdf"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workspace/download": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * download a file by path
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_workspace_download"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workspace/shared/files": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list shared files
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_workspace_shared_files"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workspace/shared/files/{filename}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * get a shared file
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_workspace_shared_files_by_filename"];
        readonly put?: never;
        readonly post?: never;
        /**
         * delete a shared file
         * @description Needs the scope `chat`.
         */
        readonly delete: operations["delete_workspace_shared_files_by_filename"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workspace/shared/files/{filename}/move": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * move shared file
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_workspace_shared_files_by_filename_move"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workspace/shared/files/{filename}/move-to-private": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * move a shared file to the private area
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_workspace_shared_files_by_filename_move_to_private"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workspace/shared/folders": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * create shared folder
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_workspace_shared_folders"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workspace/shared/upload": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * upload to the shared workspace
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_workspace_shared_upload"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workspace/trash": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list what was deleted from workspaces in the last seven days
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_workspace_trash"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workspace/trash/{trash_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * delete a file or folder for good
         * @description Needs the scope `chat`.
         */
        readonly delete: operations["delete_workspace_trash_by_trash_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/workspace/trash/{trash_id}/restore": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * put a deleted file or folder back
         * @description Needs the scope `chat`.
         */
        readonly post: operations["post_workspace_trash_by_trash_id_restore"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/world-books": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * list the world books
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_world_books"];
        readonly put?: never;
        /**
         * create a world book
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_world_books"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/world-books/{book_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * one world book
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_world_books_by_book_id"];
        /**
         * change a world book
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_world_books_by_book_id"];
        readonly post?: never;
        /**
         * delete a world book
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_world_books_by_book_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/world-books/{book_id}/ai-generate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * let a model write entries
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_world_books_by_book_id_ai_generate"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/world-books/{book_id}/compare": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * what a newer file of a world book would change
         * @description Needs the scope `read`.
         */
        readonly post: operations["post_world_books_by_book_id_compare"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/world-books/{book_id}/entries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * the entries of a world book
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_world_books_by_book_id_entries"];
        readonly put?: never;
        /**
         * add an entry
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_world_books_by_book_id_entries"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/world-books/{book_id}/entries/{entry_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /**
         * change an entry
         * @description Needs the scope `write`.
         */
        readonly put: operations["put_world_books_by_book_id_entries_by_entry_id"];
        readonly post?: never;
        /**
         * delete an entry
         * @description Needs the scope `write`.
         */
        readonly delete: operations["delete_world_books_by_book_id_entries_by_entry_id"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/world-books/{book_id}/entries/batch": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * add several entries
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_world_books_by_book_id_entries_batch"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/world-books/export-all": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * all world books as a file
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_world_books_export_all"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/world-books/export/{book_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * a world book as a file
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_world_books_export_by_book_id"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/world-books/import": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * take in a world book
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_world_books_import"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/world-books/import-all": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * take in several world books
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_world_books_import_all"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/world-books/test-match": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * which entries would come up, and why
         * @description Needs the scope `read`.
         */
        readonly post: operations["post_world_books_test_match"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/assets/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** a file of the console */
        readonly get: operations["get_root_assets_by_name"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/authorize": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** the page on which a person lets a client in */
        readonly get: operations["get_root_authorize"];
        readonly put?: never;
        /** the person's decision */
        readonly post: operations["post_root_authorize"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/authorize/sign-in": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** sign in before deciding */
        readonly post: operations["post_root_authorize_sign_in"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/dashboard": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** the console */
        readonly get: operations["get_root_dashboard"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/manifest.webmanifest": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** what a browser shows of the installed console */
        readonly get: operations["get_root_manifest_webmanifest"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/metrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** measurements for Prometheus */
        readonly get: operations["get_root_metrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/public/{public_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** a published session as a page */
        readonly get: operations["get_root_public_by_public_id"];
        readonly put?: never;
        /** the same with its password */
        readonly post: operations["post_root_public_by_public_id"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/qrcode/generate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * a QR code of a text
         * @description Needs the scope `write`.
         */
        readonly post: operations["post_root_qrcode_generate"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/qrcode/session/{session_id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * a QR code that leads to a session
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_root_qrcode_session_by_session_id"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/register": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** a client registers itself (RFC 7591); it may do nothing before a person lets it in */
        readonly post: operations["post_root_register"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/revoke": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** a client gives its access back (RFC 7009) */
        readonly post: operations["post_root_revoke"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/static/files/{filename}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * a stored file
         * @description Needs the scope `read`.
         */
        readonly get: operations["get_root_static_files_by_filename"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/sw.js": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** the console's service worker */
        readonly get: operations["get_root_sw_js"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/token": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** the tokens of a client that was let in */
        readonly post: operations["post_root_token"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly Account: {
            /** Format: date-time */
            readonly created_at: string;
            readonly id: string;
            /** Format: date-time */
            readonly last_seen_at: string | null;
            readonly made_by: string | null;
            readonly name: string;
            readonly revision: number;
            /** @enum {string} */
            readonly role: "admin" | "operator" | "reader";
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly ActiveModel: {
            readonly has_config: boolean;
            readonly model: null | components["schemas"]["Model"];
            readonly model_id: string | null;
            /** @enum {string|null} */
            readonly source: "session" | "active" | "first_enabled" | "ai_config" | "environment" | "offline" | null;
        };
        readonly AgentTool: {
            readonly description: string;
            readonly high_risk: boolean;
            readonly name: string;
            readonly parameters: {
                readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly permission: "read" | "write";
        };
        readonly AiConfig: {
            readonly api_key_env: string | null;
            readonly api_key_masked: string;
            readonly append_base_url_path: boolean;
            readonly base_url: string;
            readonly effective: components["schemas"]["EffectiveModel"];
            readonly enable_memory: boolean;
            readonly frequency_penalty: number;
            readonly has_api_key: boolean;
            readonly max_context_length: number;
            readonly max_tokens: number;
            readonly model: string;
            readonly presence_penalty: number;
            readonly protocol: string;
            readonly provider: string;
            readonly retry_count: number;
            readonly revision: number;
            readonly search_api_key_env: string | null;
            readonly search_api_url: string;
            readonly stream: boolean;
            readonly supports_reasoning: boolean;
            readonly supports_stream: boolean;
            readonly supports_tools: boolean;
            readonly system_prompt: string;
            readonly temperature: number;
            readonly timeout_s: number;
            readonly top_p: number;
            /** Format: date-time */
            readonly updated_at: string | null;
        };
        readonly Answer: {
            readonly branch_id: string | null;
            readonly message: components["schemas"]["Message"];
        };
        readonly ApiKey: {
            /** Format: date-time */
            readonly created_at: string;
            readonly created_by: string;
            readonly enabled: boolean;
            readonly expires_at: string | null;
            readonly id: string;
            readonly key_prefix: string;
            readonly last_used_at: string | null;
            readonly last_used_ip: string | null;
            readonly name: string;
            readonly rate_limit_per_minute: number;
            readonly revision: number;
            readonly scopes: readonly ("read" | "chat" | "write" | "admin" | "mcp")[];
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly AskedModels: {
            readonly blocked: boolean;
            readonly message_id: string;
            readonly trace_ids: readonly string[];
        };
        readonly Attachment: {
            readonly meta?: {
                readonly [key: string]: unknown;
            };
            readonly mime_type?: string;
            readonly name?: string;
            readonly size?: number;
            readonly source?: string;
            /** @enum {string} */
            readonly type: "image" | "audio" | "video" | "file" | "sticker";
            readonly url: string;
        };
        readonly Audience: {
            readonly active_days?: number;
            readonly channel_ids?: readonly string[];
            readonly folder?: string;
            /** @enum {string} */
            readonly kind: "all" | "private" | "group";
            readonly session_ids?: readonly string[];
            readonly tag?: string;
        };
        readonly AuthorizationServer: {
            readonly authorization_endpoint: string;
            readonly authorization_response_iss_parameter_supported: boolean;
            readonly code_challenge_methods_supported: readonly string[];
            readonly grant_types_supported: readonly string[];
            readonly issuer: string;
            readonly registration_endpoint: string;
            readonly response_modes_supported: readonly string[];
            readonly response_types_supported: readonly string[];
            readonly revocation_endpoint: string;
            readonly revocation_endpoint_auth_methods_supported: readonly string[];
            readonly scopes_supported: readonly string[];
            readonly token_endpoint: string;
            readonly token_endpoint_auth_methods_supported: readonly string[];
        };
        readonly AvatarMessage: {
            readonly content: string;
            readonly id: string;
            /** @enum {string} */
            readonly role: "user" | "assistant";
            /** Format: date-time */
            readonly timestamp: string;
        };
        readonly BatchError: {
            readonly detail?: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            };
            readonly error: string;
            readonly index: number;
        };
        readonly Broadcast: {
            readonly audience: components["schemas"]["Audience"];
            readonly counts: {
                readonly delivered: number;
                readonly failed: number;
                readonly sent: number;
                readonly waiting: number;
            };
            /** Format: date-time */
            readonly created_at: string;
            readonly created_by: string;
            readonly error: null | components["schemas"]["ToldFailure"];
            readonly id: string;
            readonly per_minute: number;
            readonly retriable: number;
            /** @enum {string} */
            readonly state: "running" | "stopped" | "done";
            readonly text: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly BroadcastPreview: {
            readonly channels: readonly {
                readonly connected: boolean;
                readonly count: number;
                readonly id: string;
            }[];
            readonly items: readonly {
                readonly channel_id: string;
                readonly name: string;
                readonly session_id: string;
            }[];
            readonly total: number;
        };
        readonly BroadcastRecipient: {
            readonly channel_id: string;
            readonly error: null | components["schemas"]["ToldFailure"];
            readonly name: string;
            readonly session_id: string;
            /** @enum {string} */
            readonly state: "waiting" | "sent" | "delivered" | "failed";
            readonly trace_id: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly BuiltInPreset: {
            readonly alternate_greetings: readonly string[];
            readonly avatar: string;
            readonly basic_info: string;
            /** @enum {boolean} */
            readonly builtin: true;
            readonly card_extra: {
                readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly card_spec: "native" | "v1" | "v2" | "v3";
            readonly character_version: string;
            readonly creator: string;
            readonly creator_notes: string;
            readonly description: string;
            readonly example_dialogues: string;
            readonly extensions: {
                readonly [key: string]: unknown;
            };
            readonly favorite: boolean;
            readonly first_message: string;
            readonly id: string;
            readonly initial_state: {
                readonly [key: string]: unknown;
            };
            readonly name: string;
            readonly personality: string;
            readonly portrait: string;
            readonly post_history_instructions: string;
            readonly response_format: string;
            readonly rules: readonly string[];
            readonly scenario: string;
            readonly system_prompt: string;
            /** @enum {string} */
            readonly system_prompt_mode: "auto" | "manual";
            readonly tags: readonly string[];
            readonly world_book_ids: readonly string[];
        };
        readonly Capabilities: {
            readonly supports_file_send: boolean;
            readonly supports_progress_updates: boolean;
            readonly supports_stop: boolean;
            readonly supports_stream: boolean;
            readonly supports_tools?: boolean;
        };
        readonly CardImportError: {
            readonly detail?: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            };
            readonly error: string;
            readonly index: number;
            readonly name: string;
        };
        readonly Channel: {
            readonly builtin: boolean;
            readonly can_check: boolean;
            readonly capabilities: {
                readonly supports_file_send?: boolean;
                readonly supports_progress_updates?: boolean;
                readonly supports_stop?: boolean;
                readonly supports_stream?: boolean;
                readonly supports_tools?: boolean;
            };
            readonly config: {
                readonly [key: string]: unknown;
            };
            readonly config_schema: {
                readonly [key: string]: unknown;
            } | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly description: string;
            readonly enabled: boolean;
            readonly id: string;
            readonly missing_variables: readonly string[];
            readonly name: string;
            readonly revision: number;
            readonly status: components["schemas"]["ChannelStatus"];
            readonly transport: string;
            readonly type: string;
            /** Format: date-time */
            readonly updated_at: string;
            readonly variables: readonly components["schemas"]["NamedSecret"][];
            readonly webhook_path: string | null;
        };
        readonly ChannelPreset: {
            readonly channel: {
                readonly capabilities: components["schemas"]["Capabilities"];
                readonly config: {
                    readonly [key: string]: unknown;
                };
                readonly enabled: boolean;
                readonly id: string;
                readonly name: string;
                readonly transport: string;
                readonly type: string;
            };
            readonly description: string;
            readonly id: string;
            readonly installed: boolean;
            readonly name: string;
            readonly title: {
                readonly en: string;
                readonly zh: string;
            } | null;
            readonly transport: string;
            readonly type: string;
        };
        readonly ChannelStatus: {
            readonly connected: boolean;
            readonly held_elsewhere?: boolean;
            readonly last_error: string | null;
            readonly last_error_detail: {
                readonly chinese?: string;
                readonly key: string;
                readonly params: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null;
            /** Format: date-time */
            readonly last_inbound_at: string | null;
            /** Format: date-time */
            readonly last_outbound_at: string | null;
            /** @enum {string} */
            readonly state: "running" | "stopped" | "starting" | "error" | "disabled";
            readonly warning_details?: readonly ({
                readonly chinese?: string;
                readonly key: string;
                readonly params: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null)[];
            readonly warnings: readonly string[];
        };
        readonly Character: {
            readonly alternate_greetings: readonly string[];
            readonly avatar: string;
            readonly basic_info: string;
            readonly card_extra: {
                readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly card_spec: "native" | "v1" | "v2" | "v3";
            readonly character_version: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly creator: string;
            readonly creator_notes: string;
            readonly description: string;
            readonly example_dialogues: string;
            readonly extensions: {
                readonly [key: string]: unknown;
            };
            readonly favorite: boolean;
            readonly first_message: string;
            readonly id: string;
            readonly initial_state: {
                readonly [key: string]: unknown;
            };
            readonly name: string;
            readonly personality: string;
            readonly portrait: string;
            readonly post_history_instructions: string;
            readonly response_format: string;
            readonly revision: number;
            readonly rules: readonly string[];
            readonly scenario: string;
            readonly system_prompt: string;
            /** @enum {string} */
            readonly system_prompt_mode: "auto" | "manual";
            readonly tags: readonly string[];
            /** Format: date-time */
            readonly updated_at: string;
            readonly world_book_ids: readonly string[];
        };
        readonly CharacterBond: {
            readonly affection: number;
            readonly dependency: number;
            readonly familiarity: number;
            readonly jealousy: number;
            readonly security: number;
            readonly trust: number;
        };
        readonly CharacterMood: {
            readonly energy: number;
            readonly mood: string;
            readonly mood_intensity: number;
            readonly scene: {
                readonly [key: string]: unknown;
            };
        };
        readonly CharacterRelationship: {
            readonly affection: number;
            readonly character_id: string;
            readonly dependency: number;
            readonly familiarity: number;
            readonly jealousy: number;
            readonly persisted: boolean;
            readonly revision: number;
            readonly security: number;
            readonly target_id: string;
            readonly trust: number;
            /** Format: date-time */
            readonly updated_at: string | null;
        };
        readonly CharacterState: {
            readonly character_id: string;
            readonly energy: number;
            /** Format: date-time */
            readonly last_active_at: string | null;
            readonly mood: string;
            readonly mood_category: string | null;
            readonly mood_intensity: number;
            readonly persisted: boolean;
            readonly revision: number;
            readonly scene: {
                readonly [key: string]: unknown;
            };
            readonly scope_id: string;
            /** Format: date-time */
            readonly updated_at: string | null;
        };
        readonly Command: {
            readonly admin_only: boolean;
            readonly aliases: readonly string[];
            readonly category: string;
            readonly category_name: string;
            readonly channels: readonly string[];
            readonly help: components["schemas"]["Localized"];
            readonly help_text: string;
            readonly name: string;
            readonly package: string;
            readonly usage: string;
            readonly usage_texts: components["schemas"]["Localized"];
        };
        readonly CommandLine: {
            readonly name: string;
            readonly words: readonly string[];
        };
        readonly ConfigImport: {
            readonly applied: boolean;
            readonly dry_run: boolean;
            readonly missing_env: readonly string[];
            readonly sections: {
                readonly [key: string]: components["schemas"]["TransferredSection"];
            };
            readonly warning_details?: readonly ({
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null)[];
            readonly warnings: readonly string[];
        };
        readonly Confirmation: {
            /** Format: date-time */
            readonly expires_at: string;
            readonly id: string;
            readonly session_id: string;
            readonly summary: string;
            readonly tool: string;
        };
        readonly ConnectionTrial: {
            readonly category: string | null;
            readonly detail: string;
            readonly elapsed_ms: number;
            readonly model: string;
            readonly ok: boolean;
            /** @description Why it failed, in English and Chinese */
            readonly said: {
                readonly en: string;
                readonly zh: string;
            } | null;
            readonly sample: string;
            readonly status_code: number | null;
            readonly stream: {
                readonly first_ms: number;
                readonly parts: number;
            } | null;
        };
        readonly DeadLetter: {
            readonly attempts: number;
            readonly cause: string;
            readonly channel_id: string;
            readonly conversation_id: string;
            readonly error: string | null;
            readonly error_detail?: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            };
            /** Format: date-time */
            readonly first_at: string;
            readonly item_id: string;
            /** @enum {string} */
            readonly kind: "inbound" | "delivery";
            /** Format: date-time */
            readonly last_at: string;
            readonly preview: string;
            readonly session_id: string;
            /** @enum {string} */
            readonly suggested_action: "retry" | "fix_config" | "review_duplicate" | "none";
            readonly trace_id: string;
        };
        readonly Deleted: {
            /** @enum {boolean} */
            readonly deleted: true;
            readonly id: string;
        };
        readonly DeletedFile: {
            /** Format: date-time */
            readonly deleted_at: string;
            /** Format: date-time */
            readonly expires_at: string;
            readonly id: string;
            readonly name: string;
            readonly path: string;
            /** @enum {string} */
            readonly scope: "private" | "shared";
            readonly session_id: string | null;
            readonly size: number;
            /** @enum {string} */
            readonly type: "file" | "directory";
        };
        readonly Delivery: {
            readonly attempts: number;
            readonly channel_id: string;
            readonly content: string;
            readonly conversation_id: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly error: string | null;
            readonly error_detail?: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            };
            readonly id: string;
            /** Format: date-time */
            readonly next_retry_at: string | null;
            readonly part: number;
            readonly parts: number;
            readonly platform_message_id: string | null;
            readonly request: {
                readonly [key: string]: unknown;
            };
            readonly response: {
                readonly [key: string]: unknown;
            } | null;
            readonly session_id: string;
            /** @enum {string} */
            readonly status: "pending" | "sending" | "unknown_after_send" | "failed" | "delivered" | "dead" | "expired";
            readonly trace_id: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly Document: {
            readonly base_id: string;
            readonly chunk_count?: number;
            readonly content: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly id: string;
            readonly index_error?: string | null;
            readonly index_error_detail: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null;
            readonly index_model?: string | null;
            /** @enum {string} */
            readonly index_status?: "pending" | "indexing" | "indexed" | "failed" | "stale";
            readonly indexed?: boolean;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly preview?: string;
            readonly revision: number;
            readonly size?: number;
            readonly source: string;
            readonly tags: readonly string[];
            readonly title: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly EffectiveModel: {
            readonly model: string;
            readonly model_id: string | null;
            readonly protocol: string;
            /** @enum {string|null} */
            readonly source: "session" | "active" | "first_enabled" | "ai_config" | "environment" | "offline" | null;
        };
        readonly ExportedSession: {
            readonly archived: boolean;
            /** Format: date-time */
            readonly archived_at: string | null;
            readonly archived_message_count: number;
            readonly archived_messages: readonly components["schemas"]["Message"][];
            readonly auto_state_interval: number | null;
            readonly channel_id: string;
            readonly character_id: string | null;
            readonly conversation_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly custom_prompt: string;
            readonly disabled_prompt_keys: readonly string[];
            readonly favorite: boolean;
            readonly favorites: readonly unknown[];
            readonly first_message: string;
            readonly folder?: string;
            readonly forked_from: {
                /** Format: date-time */
                readonly created_at: string;
                readonly message_id: string | null;
                readonly session_id: string;
            } | null;
            readonly id: string;
            /** Format: date-time */
            readonly imported_at: string | null;
            readonly imported_from: string | null;
            readonly is_public: boolean;
            readonly is_temporary?: boolean;
            readonly key: string;
            readonly last_message: {
                readonly id: string;
                readonly preview: string;
                /** @enum {string} */
                readonly role: "user" | "assistant" | "system";
                readonly sender: string;
                /** Format: date-time */
                readonly timestamp: string;
            } | null;
            /** Format: date-time */
            readonly last_message_at: string | null;
            readonly message_count: number;
            readonly messages: readonly components["schemas"]["Message"][];
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly model_id: string | null;
            readonly name: string;
            readonly parameters?: {
                readonly max_tokens: number | null;
                readonly temperature: number | null;
            };
            readonly pinned: boolean;
            readonly plugins: {
                readonly [key: string]: unknown;
            };
            readonly proactive_chat: {
                readonly enabled: boolean;
                readonly idle_minutes: number;
                readonly prompt: string;
            };
            readonly relationship: {
                readonly [key: string]: unknown;
            } | null;
            readonly revision: number;
            readonly scenario: string;
            readonly sender_avatar: string;
            readonly sender_name: string;
            readonly sender_portrait: string;
            /** @enum {string} */
            readonly session_mode: "character" | "plain";
            readonly state: {
                readonly [key: string]: unknown;
            } | null;
            readonly summary: string;
            readonly system_prompt: string;
            readonly tags: readonly string[];
            readonly taken_over: {
                /** Format: date-time */
                readonly at: string;
                readonly by: string;
            } | null;
            readonly timeline: readonly unknown[];
            readonly tts_config: {
                readonly enabled: boolean;
                readonly speed: number;
                readonly voice: string;
            };
            /** @enum {string} */
            readonly type: "web" | "imA_group" | "imA_private" | "imAbot_group" | "imAbot_private" | "channel" | "workflow" | "task" | "heartbeat";
            /** Format: date-time */
            readonly updated_at: string;
            readonly user_id: string | null;
        };
        readonly Failure: {
            /** @enum {unknown} */
            readonly code: "bad_request" | "confirmation_required" | "unauthorized" | "permission_denied" | "not_found" | "conflict" | "too_large" | "rate_limited" | "internal" | "upstream_failed" | "unavailable" | "timed_out";
            /** @description A sentence for people. */
            readonly error: string;
            /** @constant */
            readonly success: false;
        };
        readonly FilePreview: {
            readonly content?: string;
            readonly download_url: string;
            readonly extracted_length?: number;
            readonly filename: string;
            readonly height?: number | null;
            readonly is_blob?: boolean;
            readonly mime_type: string;
            readonly original_length?: number;
            readonly size: number;
            readonly truncated?: boolean;
            /** @enum {string} */
            readonly type: "text" | "image" | "pdf" | "audio" | "video" | "document" | "unsupported";
            readonly url: string;
            readonly width?: number | null;
        };
        readonly FilterHit: {
            readonly blocked: boolean;
            readonly channel: string;
            /** Format: date-time */
            readonly created_at: string;
            /** @enum {string} */
            readonly direction: "user" | "ai";
            readonly id: string;
            readonly rules: readonly string[];
            readonly sender: string;
            readonly session_id: string;
            readonly text: string | null;
            readonly trace_id: string;
        };
        readonly Finding: {
            readonly advice: components["schemas"]["Localized"];
            readonly key: string;
            /** @enum {string} */
            readonly level: "warning" | "problem";
            readonly page?: string;
            readonly parameters?: {
                readonly [key: string]: string | number;
            };
            readonly said: components["schemas"]["Localized"];
        };
        readonly Fork: {
            readonly after_id: string | null;
            readonly variants: readonly {
                readonly branch_id: string | null;
                readonly message_id: string;
            }[];
        };
        readonly FoundMessage: {
            readonly excerpt: string;
            readonly message_id: string;
            readonly role: string;
            readonly sender: string;
            readonly session_id: string;
            readonly session_name: string;
            /** Format: date-time */
            readonly timestamp: string;
        };
        readonly GatewayEvent: {
            readonly action: string;
            readonly channel_id: string | null;
            readonly conversation_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly error: string | null;
            readonly event_type: string;
            readonly id: string;
            /** @enum {string} */
            readonly level: "debug" | "info" | "warning" | "error";
            readonly message_id: string | null;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly stage: string;
            readonly status: string;
            readonly trace_id: string;
            readonly user_id: string | null;
        };
        readonly GatewayLog: {
            readonly action: string;
            readonly channel_id: string | null;
            readonly conversation_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly delivery_id: string | null;
            readonly error_code: string | null;
            readonly error_message: string | null;
            readonly id: string;
            /** @enum {string} */
            readonly level: "debug" | "info" | "warning" | "error";
            readonly message: string;
            readonly message_id: string | null;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly node_id: string;
            readonly parent_id: string | null;
            readonly queue_item_id: string | null;
            readonly request_id: string | null;
            readonly source: string;
            readonly stage: string;
            readonly status: string;
            readonly tool_name: string | null;
            readonly trace_id: string;
            readonly type: string;
            readonly user_id: string | null;
        };
        readonly GatewayResult: {
            readonly channel_id: string;
            readonly conversation_id: string | null;
            readonly data: null | {
                readonly item_id: string;
                readonly queue_size: number;
            } | {
                readonly delivery_id: string | null;
                readonly response_content: string;
            };
            readonly duplicated: boolean;
            readonly error: string | null;
            readonly ignored: boolean;
            readonly ok: boolean;
            readonly queued: boolean;
            /** @enum {string} */
            readonly status: "queued" | "built" | "ignored" | "duplicated" | "parse_failed";
            readonly trace_id: string | null;
        };
        readonly GeneratedState: {
            readonly affection: number;
            readonly dependency: number;
            readonly energy: number;
            readonly familiarity: number;
            readonly jealousy: number;
            readonly mood: string;
            readonly mood_intensity: number;
            readonly security: number;
            readonly trust: number;
        };
        readonly HealthComponent: {
            readonly detail: string;
            /** @enum {string} */
            readonly status: "ok" | "degraded" | "down";
        };
        readonly Heartbeat: {
            readonly content_file: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly enabled: boolean;
            /** Format: date-time */
            readonly finished_at: string | null;
            readonly id: string;
            readonly interval_minutes: number;
            readonly last_error: string | null;
            readonly last_error_detail: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null;
            readonly last_run: null | components["schemas"]["Run"];
            /** Format: date-time */
            readonly next_run: string | null;
            readonly recent_runs: readonly components["schemas"]["Run"][];
            readonly revision: number;
            readonly run_count: number;
            readonly session_id: string | null;
            readonly skipped_count: number;
            /** Format: date-time */
            readonly started_at: string | null;
            /** @enum {string} */
            readonly status: "idle" | "running" | "success" | "failed";
            readonly target_session_id: string | null;
            readonly targets: readonly string[];
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly HeartbeatContent: {
            readonly content: string;
            readonly etag: string;
            readonly exists: boolean;
            readonly file: string;
        };
        readonly ImaGroup: {
            readonly group_id: string;
            readonly group_name: string;
            readonly last_message: string;
            /** Format: date-time */
            readonly last_time: string | null;
            readonly member_count: number | null;
            readonly message_count: number;
            readonly session_id: string;
        };
        readonly ImaSession: {
            readonly archived: boolean;
            /** Format: date-time */
            readonly created_at: string;
            readonly id: string;
            readonly imA_id: string;
            readonly last_message: string;
            readonly message_count: number;
            readonly name: string;
            /** @enum {string} */
            readonly type: "private" | "group";
        };
        readonly ImaUser: {
            readonly last_message: string;
            /** Format: date-time */
            readonly last_time: string | null;
            readonly message_count: number;
            readonly nickname: string;
            readonly session_id: string;
            readonly user_id: string;
        };
        readonly ImportedCard: {
            readonly id: string;
            readonly index: number;
            readonly name: string;
        };
        readonly Job: {
            /** Format: date-time */
            readonly created_at: string;
            readonly error: null | components["schemas"]["ToldFailure"];
            /** @description Tries that failed */
            readonly failures: number;
            /** Format: date-time */
            readonly finished_at: string | null;
            readonly id: string;
            readonly key: string | null;
            readonly kind: string;
            readonly priority: number;
            readonly progress: number | null;
            readonly progress_text: string;
            /** Format: date-time */
            readonly run_at: string;
            readonly schedule_id: string | null;
            /** @description It cannot run again: what it needs went when it was over */
            readonly secrets_gone: boolean;
            /** Format: date-time */
            readonly started_at: string | null;
            /** @enum {string} */
            readonly status: "waiting" | "running" | "done" | "dead" | "canceled";
            /** @description Of its kind; null when the plugin of the kind is off */
            readonly titles: {
                readonly en: string;
                readonly zh: string;
            } | null;
            readonly trace_id: string | null;
        };
        readonly JobDetail: {
            /** Format: date-time */
            readonly created_at: string;
            readonly error: null | components["schemas"]["ToldFailure"];
            /** @description Tries that failed */
            readonly failures: number;
            /** Format: date-time */
            readonly finished_at: string | null;
            readonly id: string;
            readonly key: string | null;
            readonly kind: string;
            readonly logs: readonly {
                /** Format: date-time */
                readonly at: string;
                readonly detail?: {
                    readonly chinese?: string;
                    readonly key: string;
                    readonly params?: {
                        readonly [key: string]: string | number | boolean;
                    };
                };
                readonly text: string;
            }[];
            /** @description Secrets masked */
            readonly payload: unknown;
            readonly priority: number;
            readonly progress: number | null;
            readonly progress_text: string;
            /** Format: date-time */
            readonly run_at: string;
            readonly schedule_id: string | null;
            /** @description It cannot run again: what it needs went when it was over */
            readonly secrets_gone: boolean;
            /** Format: date-time */
            readonly started_at: string | null;
            /** @enum {string} */
            readonly status: "waiting" | "running" | "done" | "dead" | "canceled";
            readonly steps: readonly {
                readonly name: string;
                /** @enum {string} */
                readonly state: "started" | "done";
            }[];
            /** @description Of its kind; null when the plugin of the kind is off */
            readonly titles: {
                readonly en: string;
                readonly zh: string;
            } | null;
            readonly trace_id: string | null;
        };
        readonly KnowledgeExport: {
            readonly documents: readonly {
                readonly base_id: string;
                readonly content: string;
                /** Format: date-time */
                readonly created_at: string;
                readonly metadata: {
                    readonly [key: string]: unknown;
                };
                readonly source: string;
                readonly tags: readonly string[];
                readonly title: string;
            }[];
            /** Format: date-time */
            readonly exported_at: string;
            readonly total: number;
            /** @enum {string} */
            readonly type: "knowledge_export";
            /** @enum {number} */
            readonly version: 1;
        };
        readonly KnowledgeHit: {
            readonly chunk: string;
            readonly chunk_id: string;
            readonly chunk_index: number;
            readonly doc_id: string;
            readonly heading: string;
            readonly marks: readonly (readonly number[])[];
            readonly score: number;
            readonly similarity: number;
            readonly source: string;
            readonly tags: readonly string[];
            readonly text_score: number;
            readonly title: string;
            readonly why: components["schemas"]["SearchReasons"];
        };
        readonly LatestTurn: {
            /** Format: date-time */
            readonly at: string;
            readonly auto_state: {
                readonly ran: boolean;
                readonly source: string;
            };
            readonly memory_ids: readonly string[];
            readonly plan: {
                readonly [key: string]: unknown;
            };
            readonly prompt_layers: readonly components["schemas"]["TurnPromptLayer"][];
            readonly relationship_after: components["schemas"]["CharacterBond"];
            readonly relationship_before: components["schemas"]["CharacterBond"];
            readonly scope_id: string;
            readonly session_id: string;
            readonly signals: {
                readonly [key: string]: unknown;
            };
            readonly state_after: components["schemas"]["CharacterMood"];
            readonly state_before: components["schemas"]["CharacterMood"];
            readonly sticker: {
                readonly category: string | null;
                readonly sent: boolean;
                readonly tried: boolean;
            };
            readonly target_id: string;
            readonly trace_id: string;
            readonly world_book_entry_ids: readonly string[];
        };
        readonly ListedCharacter: {
            readonly alternate_greetings: readonly string[];
            readonly avatar: string;
            readonly basic_info: string;
            /** @enum {string} */
            readonly card_spec: "native" | "v1" | "v2" | "v3";
            readonly character_version: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly creator: string;
            readonly creator_notes: string;
            readonly description: string;
            readonly favorite: boolean;
            readonly first_message: string;
            readonly id: string;
            readonly initial_state: {
                readonly [key: string]: unknown;
            };
            readonly name: string;
            readonly personality: string;
            readonly portrait: string;
            readonly post_history_instructions: string;
            readonly response_format: string;
            readonly revision: number;
            readonly rules: readonly string[];
            readonly scenario: string;
            /** @enum {string} */
            readonly system_prompt_mode: "auto" | "manual";
            readonly tags: readonly string[];
            /** Format: date-time */
            readonly updated_at: string;
            readonly world_book_ids: readonly string[];
        };
        readonly ListedDocument: {
            readonly base_id: string;
            readonly chunk_count?: number;
            /** Format: date-time */
            readonly created_at: string;
            readonly id: string;
            readonly index_error?: string | null;
            readonly index_error_detail: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null;
            readonly index_model?: string | null;
            /** @enum {string} */
            readonly index_status?: "pending" | "indexing" | "indexed" | "failed" | "stale";
            readonly indexed?: boolean;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly preview?: string;
            readonly revision: number;
            readonly size?: number;
            readonly source: string;
            readonly tags: readonly string[];
            readonly title: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly ListedFile: {
            /** Format: date-time */
            readonly created_at: string;
            readonly file_id: string;
            readonly filename: string;
            readonly mime_type: string;
            readonly size: number;
            readonly url: string;
        };
        readonly ListedModel: {
            readonly id: string;
            readonly name: string;
        };
        readonly ListedPreset: {
            readonly alternate_greetings: readonly string[];
            readonly avatar: string;
            readonly basic_info: string;
            /** @enum {boolean} */
            readonly builtin?: false;
            readonly card_extra?: {
                readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly card_spec: "native" | "v1" | "v2" | "v3";
            readonly character_version: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly creator: string;
            readonly creator_notes: string;
            readonly description: string;
            readonly example_dialogues?: string;
            readonly extensions?: {
                readonly [key: string]: unknown;
            };
            readonly favorite: boolean;
            readonly first_message: string;
            readonly id: string;
            readonly initial_state: {
                readonly [key: string]: unknown;
            };
            readonly name: string;
            readonly personality: string;
            readonly portrait: string;
            readonly post_history_instructions: string;
            readonly response_format: string;
            readonly revision: number;
            readonly rules: readonly string[];
            readonly scenario: string;
            readonly system_prompt?: string;
            /** @enum {string} */
            readonly system_prompt_mode: "auto" | "manual";
            readonly tags: readonly string[];
            /** Format: date-time */
            readonly updated_at: string;
            readonly uploads?: readonly components["schemas"]["PresetUpload"][];
            readonly world_book_ids: readonly string[];
        };
        readonly ListedSavedPrompt: {
            /** Format: date-time */
            readonly created_at: string;
            readonly id: string;
            readonly is_own: boolean;
            readonly is_shared: boolean;
            readonly name: string;
            readonly owner: string;
            readonly revision: number;
            readonly tags: readonly string[];
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly Localized: {
            readonly en: string;
            readonly zh: string;
        };
        readonly LoginToken: {
            /** Format: date-time */
            readonly created_at: string;
            readonly created_by: string;
            readonly current: boolean;
            readonly device: string | null;
            /** Format: date-time */
            readonly expires_at: string;
            readonly hash_full: string;
            readonly ip_address: string;
            /** Format: date-time */
            readonly last_used_at: string | null;
            readonly token_prefix: string;
            readonly username: string;
        };
        readonly LogLine: {
            readonly context: {
                readonly [key: string]: unknown;
            };
            readonly id: string;
            readonly important: boolean;
            /** @enum {string} */
            readonly level: "debug" | "info" | "warning" | "error";
            readonly message: string;
            readonly source: string;
            /** Format: date-time */
            readonly time: string;
            readonly trace_id: string | null;
        };
        readonly Machine: {
            readonly cores: number;
            readonly disk: {
                readonly free: number;
                readonly total: number;
            } | null;
            readonly load: number;
            readonly memory: {
                readonly free: number;
                readonly process: number;
                readonly total: number;
            };
            readonly process_cpu: number;
        };
        readonly McpServer: {
            readonly args: readonly string[];
            readonly auto_connect: boolean;
            readonly builtin: boolean;
            readonly command: string;
            readonly confirm_tools: readonly string[];
            readonly connected: boolean;
            readonly connecting: boolean;
            /** @enum {string} */
            readonly connection_state: "connected" | "disconnected";
            /** Format: date-time */
            readonly created_at: string;
            readonly description: string;
            readonly enabled: boolean;
            readonly env: {
                readonly [key: string]: string;
            };
            readonly env_names: readonly string[];
            readonly headers_env: {
                readonly [key: string]: string;
            };
            readonly id: string;
            readonly kept_secrets: readonly string[];
            /** Format: date-time */
            readonly last_connected_at: string | null;
            readonly last_error: string | null;
            readonly last_error_detail: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null;
            readonly name: string;
            readonly revision: number;
            readonly server_info: {
                readonly name: string;
                readonly protocol_version: string;
                readonly version: string;
            } | null;
            /** @enum {string} */
            readonly sign_in: "none" | "needed" | "again" | "signed_in";
            readonly timeout_s: number;
            readonly tool_allow: readonly string[];
            readonly tool_count: number;
            readonly tool_deny: readonly string[];
            /** @enum {string} */
            readonly transport: "stdio" | "streamable-http";
            readonly trusted_tools: readonly string[];
            /** Format: date-time */
            readonly updated_at: string;
            readonly url: string;
            readonly warning_details: readonly ({
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null)[];
            readonly warnings: readonly string[];
        };
        readonly McpServerInfo: {
            readonly name: string;
            readonly protocol_version: string;
            readonly version: string;
        };
        readonly McpService: {
            readonly address: string | null;
            readonly admin: boolean;
            readonly allowed_hosts: readonly string[];
            readonly audit_enabled: boolean;
            readonly client: {
                readonly allowed_commands: readonly string[];
                readonly command_lines: readonly components["schemas"]["CommandLine"][];
                readonly stdio_enabled: boolean;
            };
            readonly enabled: boolean;
            /** @enum {string} */
            readonly http_auth: "required" | "off_on_loopback";
            readonly prompts: readonly components["schemas"]["OwnPrompt"][];
            readonly resources: readonly components["schemas"]["OwnResource"][];
            readonly scopes: readonly string[];
            readonly switches: {
                readonly [key: string]: boolean;
            };
            readonly tools: readonly components["schemas"]["OwnTool"][];
            /** @enum {string} */
            readonly transport: "stdio" | "streamable-http";
        };
        readonly McpSignIn: {
            readonly authorization_url: string;
            /** Format: date-time */
            readonly expires_at: string;
        };
        readonly McpTool: {
            readonly description: string;
            readonly enabled: boolean;
            readonly first_description: string | null;
            readonly full_name: string;
            readonly is_new: boolean;
            readonly name: string;
            readonly offered_as: string | null;
            readonly parameters: {
                readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly risk: "read" | "action" | "high";
        };
        readonly McpTrial: {
            readonly elapsed_ms: number;
            readonly error: string | null;
            readonly error_detail: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null;
            readonly ok: boolean;
            readonly protocol_version: string | null;
            readonly server_info: null | components["schemas"]["McpServerInfo"];
            readonly tool_count: number;
        };
        readonly Memory: {
            readonly character_id: string | null;
            readonly character_name: string;
            readonly content: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly emotion_impact: {
                readonly [key: string]: unknown;
            };
            readonly expire_days: number;
            /** Format: date-time */
            readonly expires_at: string | null;
            readonly fact: string | null;
            readonly id: string;
            readonly importance: number;
            /** @enum {string} */
            readonly kind: "fact" | "preference" | "event" | "plan" | "relation" | "other";
            /** Format: date-time */
            readonly last_recalled_at: string | null;
            readonly message_id: string | null;
            /** @enum {string} */
            readonly priority: "high" | "normal" | "low";
            readonly recall_count: number;
            /** Format: date-time */
            readonly replaced_at: string | null;
            readonly replaced_by: string | null;
            readonly revision: number;
            readonly said_at: string;
            readonly session_id: string | null;
            /** @enum {string} */
            readonly source: "manual" | "ai" | "summary" | "tool" | "mcp" | "import";
            readonly source_turn_id: string | null;
            readonly summary: string;
            readonly tags: readonly string[];
            readonly target_id: string | null;
            readonly title: string;
            /** @enum {string} */
            readonly type: "long" | "short";
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly MemoryExport: {
            /** Format: date-time */
            readonly exported_at: string;
            readonly memories: readonly components["schemas"]["Memory"][];
            readonly total: number;
            /** @enum {string} */
            readonly type: "memory_export";
            /** @enum {number} */
            readonly version: 1;
        };
        readonly Message: {
            readonly attachments: readonly components["schemas"]["Attachment"][];
            readonly audio_url: string | null;
            readonly character_id: string | null;
            readonly content: string;
            /** Format: date-time */
            readonly edited_at: string | null;
            readonly error: null | components["schemas"]["ToldFailure"];
            readonly filter_blocked: boolean;
            readonly filter_rule_count: number;
            readonly filtered: boolean;
            readonly hidden: boolean;
            readonly id: string;
            /** @enum {string} */
            readonly kind: "normal" | "summary" | "archive_divider" | "notice" | "command" | "tool";
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly model: string | null;
            readonly model_id: string | null;
            /** @enum {string|null} */
            readonly rating?: "good" | "bad" | null;
            readonly reply_to: string | null;
            readonly revision: number;
            /** @enum {string} */
            readonly role: "user" | "assistant" | "system";
            readonly sender: string;
            readonly sender_id: string | null;
            readonly seq: number;
            readonly session_id: string;
            readonly source: string;
            /** @enum {string|null} */
            readonly stop_reason: "user" | "timeout" | "length" | null;
            readonly stopped: boolean;
            readonly temp_id: string | null;
            readonly thinking: string | null;
            /** Format: date-time */
            readonly timestamp: string;
            readonly tool_calls: readonly components["schemas"]["ToolCall"][];
            readonly trace_id: string | null;
            readonly usage: null | components["schemas"]["Usage"];
        };
        readonly MessageFavorite: {
            /** Format: date-time */
            readonly created_at: string;
            readonly id: string;
            readonly message_ids: readonly string[];
            readonly messages: readonly components["schemas"]["Message"][];
            readonly title: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly MessageSeries: {
            readonly assistant_values: readonly number[];
            readonly labels: readonly string[];
            /** @enum {string} */
            readonly period: "day" | "week" | "month";
            readonly user_values: readonly number[];
            readonly values: readonly number[];
        };
        readonly Minute: {
            readonly ack_p99_ms: number;
            readonly answers_out: number;
            /** Format: date-time */
            readonly at: string;
            readonly given_up: number;
            readonly messages_in: number;
            readonly turn_p50_ms: number;
            readonly turn_p99_ms: number;
            readonly turns: number;
        };
        readonly Model: {
            readonly api_key_env: string | null;
            readonly api_key_masked: string;
            readonly append_base_url_path: boolean;
            readonly audio_format: string;
            readonly base_url: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly dimensions: number;
            readonly enabled: boolean;
            readonly extra_body: {
                readonly [key: string]: unknown;
            };
            readonly extra_headers_env: {
                readonly [key: string]: string;
            };
            readonly failover_timeout_s: number;
            readonly frequency_penalty: number;
            readonly has_api_key: boolean;
            readonly id: string;
            readonly input_price: number;
            readonly is_active: boolean;
            readonly language: string;
            readonly max_context_length: number;
            readonly max_tokens: number;
            readonly model: string;
            readonly name: string;
            readonly output_price: number;
            readonly pitch: number;
            readonly presence_penalty: number;
            readonly priority: number;
            readonly protocol: string;
            readonly provider: string;
            /** @enum {string} */
            readonly purpose: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
            readonly retry_count: number;
            readonly revision: number;
            readonly speed: number;
            readonly supports_reasoning: boolean;
            readonly supports_stream: boolean;
            readonly supports_tools: boolean;
            readonly system_prompt: string;
            readonly temperature: number;
            readonly timeout_s: number;
            readonly token_limit_daily: number;
            readonly token_limit_weekly: number;
            readonly top_p: number;
            /** Format: date-time */
            readonly updated_at: string;
            readonly voice: string;
            readonly volume: number;
        };
        readonly ModelConfig: {
            readonly api_key_env: string | null;
            readonly append_base_url_path: boolean;
            readonly audio_format: string;
            readonly base_url: string;
            readonly dimensions: number;
            readonly enabled: boolean;
            readonly extra_body: {
                readonly [key: string]: unknown;
            };
            readonly extra_headers_env: {
                readonly [key: string]: string;
            };
            readonly failover_timeout_s: number;
            readonly frequency_penalty: number;
            readonly input_price: number;
            readonly language: string;
            readonly max_context_length: number;
            readonly max_tokens: number;
            readonly model: string;
            readonly name: string;
            readonly output_price: number;
            readonly pitch: number;
            readonly presence_penalty: number;
            readonly priority: number;
            readonly protocol: string;
            readonly provider: string;
            /** @enum {string} */
            readonly purpose: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
            readonly retry_count: number;
            readonly speed: number;
            readonly supports_reasoning: boolean;
            readonly supports_stream: boolean;
            readonly supports_tools: boolean;
            readonly system_prompt: string;
            readonly temperature: number;
            readonly timeout_s: number;
            readonly token_limit_daily: number;
            readonly token_limit_weekly: number;
            readonly top_p: number;
            readonly voice: string;
            readonly volume: number;
        };
        readonly ModelHealth: {
            readonly consecutive_failures: number;
            /** Format: date-time */
            readonly cooldown_until: string | null;
            readonly last_error: {
                /** Format: date-time */
                readonly at: string;
                readonly category: string;
                readonly detail: string;
                /** @description Why it failed, in English and Chinese */
                readonly said: {
                    readonly en: string;
                    readonly zh: string;
                };
                readonly status_code: number | null;
            } | null;
            /** Format: date-time */
            readonly last_success_at: string | null;
            readonly model_id: string;
            /** @enum {string} */
            readonly state: "healthy" | "cooling" | "exhausted" | "disabled";
            readonly token_usage: {
                readonly daily: number;
                readonly weekly: number;
            };
        };
        readonly ModelTrial: {
            readonly category: string | null;
            readonly detail: string;
            readonly elapsed_ms: number;
            readonly ok: boolean;
            /** @description Why it failed, in English and Chinese */
            readonly said: {
                readonly en: string;
                readonly zh: string;
            } | null;
            readonly sample: string;
            readonly status_code: number | null;
            readonly stream: {
                readonly first_ms: number;
                readonly parts: number;
            } | null;
            readonly usage: {
                readonly input_tokens: number;
                readonly output_tokens: number;
                readonly total_tokens: number;
            };
        };
        readonly NamedSecret: {
            /** Format: date-time */
            readonly kept_at: string | null;
            readonly name: string;
            readonly setting: string;
            /** @enum {string|null} */
            readonly source: "kept" | "environment" | null;
        };
        readonly NamedUsage: {
            readonly average_ms: number;
            readonly cost: number;
            readonly id: string;
            readonly input_tokens: number;
            readonly name: string;
            readonly output_tokens: number;
            readonly requests: number;
            readonly total_tokens: number;
        };
        readonly NewAccount: {
            /** Format: date-time */
            readonly created_at: string;
            readonly id: string;
            /** Format: date-time */
            readonly last_seen_at: string | null;
            readonly made_by: string | null;
            readonly name: string;
            readonly password: string | null;
            readonly revision: number;
            /** @enum {string} */
            readonly role: "admin" | "operator" | "reader";
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly NewApiKey: {
            /** Format: date-time */
            readonly created_at: string;
            readonly created_by: string;
            readonly enabled: boolean;
            readonly expires_at: string | null;
            readonly id: string;
            readonly key_prefix: string;
            readonly last_used_at: string | null;
            readonly last_used_ip: string | null;
            readonly name: string;
            readonly rate_limit_per_minute: number;
            readonly revision: number;
            readonly scopes: readonly ("read" | "chat" | "write" | "admin" | "mcp")[];
            readonly secret: string | null;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly NewLoginToken: {
            /** Format: date-time */
            readonly created_at: string;
            readonly created_by: string;
            readonly current: boolean;
            readonly device: string | null;
            /** Format: date-time */
            readonly expires_at: string;
            readonly hash_full: string;
            readonly ip_address: string;
            /** Format: date-time */
            readonly last_used_at: string | null;
            readonly token: string | null;
            readonly token_prefix: string;
            readonly username: string;
        };
        readonly NewPassword: {
            readonly password: string | null;
        };
        readonly NewSkill: {
            readonly aliases: readonly string[];
            /** Format: date-time */
            readonly created_at: string;
            readonly description: string;
            readonly enabled: boolean;
            readonly has_storage: boolean;
            readonly id: string;
            readonly implementation: {
                /** @enum {string} */
                readonly type: "prompt" | "http" | "static";
            } & {
                readonly [key: string]: unknown;
            };
            readonly name: string;
            readonly parameters: {
                readonly [key: string]: unknown;
            };
            readonly revision: number;
            readonly scripts: readonly string[];
            readonly storage_created?: boolean | null;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly Node: {
            readonly address: string;
            readonly capabilities: readonly string[];
            readonly current_load: number;
            /** Format: date-time */
            readonly last_heartbeat: string;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly node_id: string;
            /** @enum {string} */
            readonly node_type: "gateway" | "worker" | "channel";
            /** Format: date-time */
            readonly registered_at: string;
            readonly registered_by: string;
            /** @enum {string} */
            readonly status: "online" | "busy" | "idle" | "offline" | "draining";
            readonly version: string;
        };
        readonly OAuthClient: {
            readonly client_id: string;
            readonly client_id_issued_at: number;
            readonly client_name: string;
            readonly grant_types: readonly string[];
            readonly redirect_uris: readonly string[];
            readonly response_types: readonly string[];
            /** @enum {string} */
            readonly token_endpoint_auth_method: "none";
        };
        readonly OAuthFailure: {
            readonly error: string;
            readonly error_description: string;
        };
        readonly OauthGrant: {
            /** Format: date-time */
            readonly created_at: string;
            readonly expires_at: string;
            readonly id: string;
            readonly last_used_at: string | null;
            readonly last_used_ip: string | null;
            readonly name: string;
            readonly revision: number;
            readonly scopes: readonly ("read" | "write" | "admin")[];
            /** Format: date-time */
            readonly updated_at: string;
            readonly username: string;
        };
        readonly OAuthTokens: {
            readonly access_token: string;
            readonly expires_in: number;
            readonly refresh_token: string;
            readonly scope: string;
            /** @enum {string} */
            readonly token_type: "Bearer";
        };
        readonly OwnPrompt: {
            readonly arguments: readonly {
                readonly description: string;
                readonly name: string;
                readonly required: boolean;
            }[];
            readonly description: string;
            readonly name: string;
        };
        readonly OwnResource: {
            readonly mime_type: string;
            readonly name: string;
            /** @enum {string|null} */
            readonly refused: "scope" | null;
            readonly scope: string;
            readonly uri: string;
        };
        readonly OwnTool: {
            readonly deletes: boolean;
            readonly description: string;
            readonly name: string;
            readonly needs_confirm: boolean;
            readonly parameters: {
                readonly [key: string]: unknown;
            };
            /** @enum {string|null} */
            readonly refused: "switch" | "scope" | null;
            /** @enum {string} */
            readonly risk: "read" | "action" | "high";
            readonly scope: string;
            readonly switch: string | null;
        };
        readonly Personality: {
            readonly alternate_greetings: readonly string[];
            readonly avatar: string;
            readonly basic_info: string;
            readonly card_extra: {
                readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly card_spec: "native" | "v1" | "v2" | "v3";
            readonly character_version: string;
            readonly creator: string;
            readonly creator_notes: string;
            readonly description: string;
            readonly example_dialogues: string;
            readonly extensions: {
                readonly [key: string]: unknown;
            };
            readonly favorite: boolean;
            readonly first_message: string;
            readonly initial_state: {
                readonly [key: string]: unknown;
            };
            readonly name: string;
            readonly personality: string;
            readonly portrait: string;
            readonly post_history_instructions: string;
            readonly preset_id: string | null;
            readonly response_format: string;
            readonly revision: number;
            readonly rules: readonly string[];
            readonly scenario: string;
            readonly system_prompt: string;
            /** @enum {string} */
            readonly system_prompt_mode: "auto" | "manual";
            readonly tags: readonly string[];
            /** Format: date-time */
            readonly updated_at: string;
            readonly world_book_ids: readonly string[];
        };
        readonly PersonLink: {
            /** Format: date-time */
            readonly created_at: string;
            readonly id: string;
            readonly name: string;
            readonly revision: number;
            readonly same_as: string;
            readonly target_id: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly PlacedFavorite: {
            /** Format: date-time */
            readonly created_at: string;
            readonly id: string;
            readonly message_ids: readonly string[];
            readonly messages: readonly components["schemas"]["Message"][];
            readonly session_id: string;
            readonly session_name: string;
            readonly title: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly PlacedRule: {
            /** @enum {string} */
            readonly action: "strip" | "replace" | "recall";
            readonly channel: string;
            readonly created_at: string;
            readonly enabled: boolean;
            /** @enum {string} */
            readonly filter_target: "user" | "ai" | "both";
            readonly id: string;
            readonly pattern: string;
            readonly replacement?: string;
            readonly revision: number;
            readonly session_id: string;
            /** @enum {string} */
            readonly session_scope: "all" | "specific";
            /** @enum {string} */
            readonly type: "keyword" | "regex";
            readonly warning_details?: readonly ({
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null)[];
            readonly warnings?: readonly string[];
        };
        readonly PlannedTimes: {
            readonly id: string;
            /** @enum {string} */
            readonly kind: "workflow" | "task" | "heartbeat";
            readonly more: boolean;
            readonly name: string;
            readonly times: readonly string[];
        };
        readonly Plugin: {
            readonly about: {
                readonly en: string;
                readonly zh: string;
            };
            readonly adds: readonly string[];
            readonly config: {
                readonly [key: string]: unknown;
            };
            readonly config_schema: {
                readonly [key: string]: unknown;
            } | null;
            readonly enabled: boolean;
            readonly failure: string | null;
            readonly failure_detail?: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null;
            readonly id: string;
            readonly package: string;
            readonly path: string;
            readonly required: boolean;
            readonly required_reason: string | null;
            readonly required_texts: {
                readonly en: string;
                readonly zh: string;
            } | null;
            readonly revision: number;
            /** @enum {string} */
            readonly state: "running" | "disabled" | "failed";
            readonly title: {
                readonly en: string;
                readonly zh: string;
            };
            readonly version: string;
        };
        readonly Preset: {
            readonly alternate_greetings: readonly string[];
            readonly avatar: string;
            readonly basic_info: string;
            /** @enum {boolean} */
            readonly builtin?: false;
            readonly card_extra: {
                readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly card_spec: "native" | "v1" | "v2" | "v3";
            readonly character_version: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly creator: string;
            readonly creator_notes: string;
            readonly description: string;
            readonly example_dialogues: string;
            readonly extensions: {
                readonly [key: string]: unknown;
            };
            readonly favorite: boolean;
            readonly first_message: string;
            readonly id: string;
            readonly initial_state: {
                readonly [key: string]: unknown;
            };
            readonly name: string;
            readonly personality: string;
            readonly portrait: string;
            readonly post_history_instructions: string;
            readonly response_format: string;
            readonly revision: number;
            readonly rules: readonly string[];
            readonly scenario: string;
            readonly system_prompt: string;
            /** @enum {string} */
            readonly system_prompt_mode: "auto" | "manual";
            readonly tags: readonly string[];
            /** Format: date-time */
            readonly updated_at: string;
            readonly uploads?: readonly components["schemas"]["PresetUpload"][];
            readonly world_book_ids: readonly string[];
        };
        readonly PresetUpload: {
            readonly platform: string;
            readonly remote_id: string;
            /** Format: date-time */
            readonly uploaded_at: string;
            readonly url: string;
        };
        readonly ProtectedResource: {
            readonly authorization_servers: readonly string[];
            readonly bearer_methods_supported: readonly string[];
            readonly resource: string;
            readonly resource_name: string;
            readonly scopes_supported: readonly string[];
        };
        readonly Protocol: {
            readonly default_base_url: string;
            readonly id: string;
            readonly key_env: string;
            readonly name: string;
            readonly purposes: readonly ("chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank")[];
            readonly supports: {
                readonly reasoning: boolean;
                readonly stream: boolean;
                readonly tools: boolean;
                readonly vision: boolean;
            };
        };
        readonly Publication: {
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly expires_at: string;
            /** @enum {boolean} */
            readonly is_public: true;
            readonly options: {
                readonly expires_days: number;
                readonly include_character: boolean;
                readonly include_files: boolean;
                readonly include_names: boolean;
                readonly include_user_messages: boolean;
                readonly message_end: number | null;
                readonly message_start: number | null;
            };
            readonly password_required: boolean;
            readonly public_id: string;
            readonly public_url: string;
            /** Format: date-time */
            readonly updated_at: string;
            readonly view_count: number;
        };
        readonly Purpose: {
            readonly defaults: {
                readonly [key: string]: unknown;
            };
            readonly description: string;
            readonly icon: string;
            /** @enum {string} */
            readonly id: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
            readonly name: string;
        };
        readonly PurposeConfig: {
            readonly config: components["schemas"]["ModelConfig"];
            readonly model_id: string | null;
            /** @enum {string} */
            readonly purpose: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
            /** @enum {string} */
            readonly source: "session" | "active" | "first_enabled" | "ai_config" | "environment" | "offline";
        };
        readonly PushSubscription: {
            /** Format: date-time */
            readonly created_at: string;
            readonly failures: number;
            readonly id: string;
            /** Format: date-time */
            readonly last_sent_at: string | null;
            readonly service: string;
            readonly session_id: string | null;
            readonly user_agent: string;
            readonly username: string;
        };
        readonly QrCode: {
            readonly data_url: string;
            readonly mime_type: string;
            readonly size: number;
        };
        readonly QueueCounts: {
            readonly completed: number;
            readonly dead: number;
            readonly failed: number;
            readonly pending: number;
            readonly processing: number;
        };
        readonly QueuedModel: {
            readonly enabled: boolean;
            readonly failover_timeout_s: number;
            readonly health: components["schemas"]["ModelHealth"];
            readonly is_active: boolean;
            readonly model: string;
            readonly model_id: string;
            readonly name: string;
            readonly priority: number;
            readonly provider: string;
            readonly token_limit_daily: number;
            readonly token_limit_weekly: number;
            readonly token_usage: {
                readonly daily: number;
                readonly weekly: number;
            };
        };
        readonly QueueItem: {
            readonly attempt: number;
            readonly channel_id: string;
            readonly conversation_id: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly error: string | null;
            readonly item_id: string;
            readonly max_attempts: number;
            /** Format: date-time */
            readonly next_retry_at: string | null;
            readonly parsed: unknown;
            readonly raw_event: unknown;
            /** @enum {string} */
            readonly status: "pending" | "processing" | "completed" | "failed" | "dead";
            readonly trace_id: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly QueueStatus: {
            /** Format: date-time */
            readonly oldest_pending_at: string | null;
            readonly queue_size: number;
            readonly status_breakdown: components["schemas"]["QueueCounts"];
            readonly total_completed: number;
            readonly total_dead: number;
            readonly total_enqueued: number;
            readonly total_failed: number;
            /** @enum {string} */
            readonly worker_state: "running" | "stopped";
        };
        readonly Ranked: {
            readonly id: string;
            readonly name: string;
            readonly value: number;
        };
        readonly RoleCard: {
            readonly alternate_greetings: readonly string[];
            readonly avatar: string;
            readonly basic_info: string;
            readonly card_extra: {
                readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly card_spec: "native" | "v1" | "v2" | "v3";
            readonly character_version: string;
            readonly creator: string;
            readonly creator_notes: string;
            readonly description: string;
            readonly example_dialogues: string;
            readonly extensions: {
                readonly [key: string]: unknown;
            };
            readonly favorite: boolean;
            readonly first_message: string;
            readonly initial_state: {
                readonly [key: string]: unknown;
            };
            readonly name: string;
            readonly personality: string;
            readonly portrait: string;
            readonly post_history_instructions: string;
            readonly response_format: string;
            readonly rules: readonly string[];
            readonly scenario: string;
            readonly system_prompt: string;
            /** @enum {string} */
            readonly system_prompt_mode: "auto" | "manual";
            readonly tags: readonly string[];
            readonly world_book_ids: readonly string[];
        };
        readonly Rule: {
            /** @enum {string} */
            readonly action: "strip" | "replace" | "recall";
            readonly created_at: string;
            readonly enabled: boolean;
            /** @enum {string} */
            readonly filter_target: "user" | "ai" | "both";
            readonly id: string;
            readonly pattern: string;
            readonly replacement?: string;
            readonly session_id: string;
            /** @enum {string} */
            readonly session_scope: "all" | "specific";
            /** @enum {string} */
            readonly type: "keyword" | "regex";
        };
        readonly RuleHits: {
            readonly hits: number;
            /** Format: date-time */
            readonly last_hit_at: string;
        };
        readonly RuleListing: {
            readonly enabled: boolean;
            readonly invalid: readonly {
                readonly channel: string;
                readonly detail?: {
                    readonly chinese?: string;
                    readonly key: string;
                    readonly params?: {
                        readonly [key: string]: string | number | boolean;
                    };
                };
                readonly id: string;
                readonly problem: string;
            }[];
            readonly problem: string | null;
            readonly problem_texts?: {
                readonly en: string;
                readonly zh: string;
            } | null;
            readonly quarantined: readonly string[];
            readonly rules: {
                readonly channels: {
                    readonly [key: string]: readonly components["schemas"]["Rule"][];
                };
                readonly global: readonly components["schemas"]["Rule"][];
            };
            readonly stats: {
                readonly [key: string]: components["schemas"]["RuleHits"];
            };
        };
        readonly RuleMatch: {
            /** @enum {string} */
            readonly action: "strip" | "replace" | "recall";
            readonly id: string;
            readonly pattern: string;
            readonly ranges: readonly {
                readonly end: number;
                readonly start: number;
            }[];
            /** @enum {string} */
            readonly reach: "session" | "channel" | "global" | "trial";
            /** @enum {string} */
            readonly type: "keyword" | "regex";
        };
        readonly RuleTrial: {
            readonly blocked: boolean;
            readonly content: string;
            readonly duration_ms: number;
            readonly filtered: boolean;
            readonly matches: readonly components["schemas"]["RuleMatch"][];
            readonly skipped: readonly string[];
        };
        readonly Run: {
            /** Format: date-time */
            readonly created_at: string;
            readonly duration_ms: number | null;
            readonly error: string | null;
            readonly error_code: string | null;
            readonly error_detail: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null;
            /** Format: date-time */
            readonly finished_at: string | null;
            /** @enum {string} */
            readonly kind: "workflow" | "task" | "heartbeat";
            readonly owner_id: string;
            readonly owner_name: string;
            readonly result: string;
            readonly run_id: string;
            readonly session_id: string | null;
            /** Format: date-time */
            readonly started_at: string | null;
            /** @enum {string} */
            readonly status: "queued" | "running" | "success" | "failed" | "canceled" | "timed_out";
            readonly trace_id: string;
            /** @enum {string} */
            readonly trigger: "manual" | "cron" | "interval" | "date" | "mcp";
            readonly usage: components["schemas"]["Usage"];
        };
        readonly RunDetail: {
            readonly is_cancelable: boolean;
            readonly order: unknown;
            readonly run: components["schemas"]["Run"];
            readonly steps: readonly components["schemas"]["RunStep"][];
        };
        readonly RunStarted: {
            readonly run_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "success" | "failed" | "canceled" | "timed_out";
            readonly trace_id: string;
        };
        readonly RunStep: {
            readonly action: string;
            readonly attempts: number;
            readonly duration_ms: number | null;
            readonly error: string | null;
            readonly error_code: string | null;
            readonly error_detail: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null;
            /** Format: date-time */
            readonly finished_at: string | null;
            readonly input: unknown;
            readonly key: string;
            readonly name: string;
            readonly output: unknown;
            /** Format: date-time */
            readonly started_at: string;
            /** @enum {string} */
            readonly state: "started" | "done" | "failed" | "skipped" | "unknown";
            readonly usage: components["schemas"]["Usage"];
        };
        readonly SavedCard: {
            readonly id: string;
            /** @enum {string} */
            readonly kind: "preset" | "character";
        };
        readonly SavedPrompt: {
            readonly content: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly id: string;
            readonly is_own: boolean;
            readonly is_shared: boolean;
            readonly name: string;
            readonly owner: string;
            readonly revision: number;
            readonly tags: readonly string[];
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly Schedule: {
            /** Format: date-time */
            readonly at: string | null;
            readonly cron: string | null;
            readonly enabled: boolean;
            readonly every_ms: number | null;
            readonly id: string;
            readonly kind: string;
            readonly last_job: {
                readonly id: string;
                /** @enum {string} */
                readonly status: "waiting" | "running" | "done" | "dead" | "canceled";
            } | null;
            /** Format: date-time */
            readonly last_run: string | null;
            readonly made_up_within_ms: number;
            /** Format: date-time */
            readonly next_run: string | null;
            readonly next_runs: readonly string[];
            readonly run_count: number;
            /** @description Starts that were left out */
            readonly skipped_count: number;
            readonly timezone: string | null;
            /** @description Of its kind; null when the plugin of the kind is off */
            readonly titles: {
                readonly en: string;
                readonly zh: string;
            } | null;
        };
        readonly SearchReasons: {
            readonly boosts: readonly {
                readonly factor: number;
                readonly name: string;
            }[];
            readonly rerank?: {
                readonly before: number;
                readonly model: string;
                readonly score: number;
            } | {
                readonly problem: string;
                readonly problem_detail?: {
                    readonly chinese?: string;
                    readonly key: string;
                    readonly params?: {
                        readonly [key: string]: string | number | boolean;
                    };
                };
            };
            readonly terms: readonly {
                readonly inTitle: boolean;
                readonly term: string;
                readonly weight: number;
            }[];
            /** @enum {string} */
            readonly vector?: "local" | "model";
        };
        readonly ServerModels: {
            readonly category: string | null;
            readonly detail: string;
            readonly items: readonly components["schemas"]["ListedModel"][];
            readonly ok: boolean;
            /** @description Why it failed, in English and Chinese */
            readonly said: {
                readonly en: string;
                readonly zh: string;
            } | null;
            readonly status_code: number | null;
        };
        readonly Session: {
            readonly archived: boolean;
            /** Format: date-time */
            readonly archived_at: string | null;
            readonly archived_message_count: number;
            readonly auto_state_interval: number | null;
            readonly channel_id: string;
            readonly character_id: string | null;
            readonly conversation_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly disabled_prompt_keys: readonly string[];
            readonly favorite: boolean;
            readonly first_message: string;
            readonly folder?: string;
            readonly forked_from: {
                /** Format: date-time */
                readonly created_at: string;
                readonly message_id: string | null;
                readonly session_id: string;
            } | null;
            readonly from_channel?: readonly ("model_id" | "character_id")[];
            readonly id: string;
            /** Format: date-time */
            readonly imported_at: string | null;
            readonly imported_from: string | null;
            readonly is_public: boolean;
            readonly is_temporary?: boolean;
            readonly key: string;
            readonly last_message: {
                readonly id: string;
                readonly preview: string;
                /** @enum {string} */
                readonly role: "user" | "assistant" | "system";
                readonly sender: string;
                /** Format: date-time */
                readonly timestamp: string;
            } | null;
            /** Format: date-time */
            readonly last_message_at: string | null;
            readonly message_count: number;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly model_id: string | null;
            readonly name: string;
            readonly parameters?: {
                readonly max_tokens: number | null;
                readonly temperature: number | null;
            };
            readonly pinned: boolean;
            readonly proactive_chat: {
                readonly enabled: boolean;
                readonly idle_minutes: number;
                readonly prompt: string;
            };
            readonly revision: number;
            readonly running: boolean;
            readonly scenario: string;
            readonly sender_avatar: string;
            readonly sender_name: string;
            readonly sender_portrait: string;
            /** @enum {string} */
            readonly session_mode: "character" | "plain";
            readonly summary: string;
            readonly system_prompt: string;
            readonly tags: readonly string[];
            readonly taken_over: {
                /** Format: date-time */
                readonly at: string;
                readonly by: string;
            } | null;
            readonly tts_config: {
                readonly enabled: boolean;
                readonly speed: number;
                readonly voice: string;
            };
            /** @enum {string} */
            readonly type: "web" | "imA_group" | "imA_private" | "imAbot_group" | "imAbot_private" | "channel" | "workflow" | "task" | "heartbeat";
            /** Format: date-time */
            readonly updated_at: string;
            readonly user_id: string | null;
        };
        readonly SessionFolder: {
            readonly count: number;
            readonly name: string;
        };
        readonly SessionItem: {
            readonly archived: boolean;
            /** Format: date-time */
            readonly archived_at: string | null;
            readonly archived_message_count: number;
            readonly auto_state_interval: number | null;
            readonly channel_id: string;
            readonly character_id: string | null;
            readonly conversation_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly disabled_prompt_keys: readonly string[];
            readonly favorite: boolean;
            readonly folder?: string;
            readonly forked_from: {
                /** Format: date-time */
                readonly created_at: string;
                readonly message_id: string | null;
                readonly session_id: string;
            } | null;
            readonly from_channel?: readonly ("model_id" | "character_id")[];
            readonly id: string;
            /** Format: date-time */
            readonly imported_at: string | null;
            readonly imported_from: string | null;
            readonly is_public: boolean;
            readonly is_temporary?: boolean;
            readonly key: string;
            readonly last_message: {
                readonly id: string;
                readonly preview: string;
                /** @enum {string} */
                readonly role: "user" | "assistant" | "system";
                readonly sender: string;
                /** Format: date-time */
                readonly timestamp: string;
            } | null;
            /** Format: date-time */
            readonly last_message_at: string | null;
            readonly message_count: number;
            readonly model_id: string | null;
            readonly name: string;
            readonly parameters?: {
                readonly max_tokens: number | null;
                readonly temperature: number | null;
            };
            readonly pinned: boolean;
            readonly proactive_chat: {
                readonly enabled: boolean;
                readonly idle_minutes: number;
                readonly prompt: string;
            };
            readonly revision: number;
            readonly running: boolean;
            readonly sender_avatar: string;
            readonly sender_name: string;
            readonly sender_portrait: string;
            /** @enum {string} */
            readonly session_mode: "character" | "plain";
            readonly summary: string;
            readonly tags: readonly string[];
            readonly taken_over: {
                /** Format: date-time */
                readonly at: string;
                readonly by: string;
            } | null;
            readonly tts_config: {
                readonly enabled: boolean;
                readonly speed: number;
                readonly voice: string;
            };
            /** @enum {string} */
            readonly type: "web" | "imA_group" | "imA_private" | "imAbot_group" | "imAbot_private" | "channel" | "workflow" | "task" | "heartbeat";
            /** Format: date-time */
            readonly updated_at: string;
            readonly user_id: string | null;
        };
        readonly SessionPackage: {
            /** Format: date-time */
            readonly exported_at: string;
            readonly missing?: readonly string[];
            readonly sessions: readonly components["schemas"]["ExportedSession"][];
            readonly total: number;
            readonly type: string;
            readonly version: number;
        };
        readonly SettingDefinition: {
            readonly default: unknown;
            /** @enum {string} */
            readonly group: "general" | "answering" | "people" | "network" | "connections" | "system";
            readonly help: null | components["schemas"]["Localized"];
            readonly key: string;
            readonly restart_required: boolean;
            readonly schema: {
                readonly [key: string]: unknown;
            };
            readonly title: components["schemas"]["Localized"];
        };
        readonly SharedFile: {
            readonly mime_type: string;
            readonly name: string;
            readonly size: number;
            readonly type: string;
            readonly url: string;
        };
        readonly SharedMessage: {
            readonly attachments: readonly components["schemas"]["SharedFile"][];
            readonly content: string;
            readonly id: string;
            /** @enum {string} */
            readonly role: "user" | "assistant";
            readonly sender: string;
            /** Format: date-time */
            readonly timestamp: string;
        };
        readonly SharedNode: {
            readonly address: string;
            readonly channels: readonly string[];
            readonly conversations: number;
            readonly draining: boolean;
            /** Format: date-time */
            readonly heartbeat_at: string;
            readonly id: string;
            readonly lag_ms: number;
            /** Format: date-time */
            readonly started_at: string;
            readonly turns_running: number;
            readonly version: string;
        };
        readonly SharedSession: {
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly expires_at: string;
            readonly messages: readonly components["schemas"]["SharedMessage"][];
            readonly name: string;
            /** Format: date-time */
            readonly published_at: string;
            readonly scenario: string;
            readonly sender_avatar: string;
            readonly sender_name: string;
            readonly sender_portrait: string;
        };
        readonly SharePreview: {
            /** Format: date-time */
            readonly created_at: string;
            readonly message_count: number;
            readonly messages: readonly components["schemas"]["SharedMessage"][];
            readonly name: string;
            readonly scenario: string;
            readonly sender_avatar: string;
            readonly sender_name: string;
            readonly sender_portrait: string;
        };
        readonly SignedIn: {
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly expires_at: string;
            readonly expires_days: number;
            readonly token: string | null;
            /** @enum {string} */
            readonly token_type: "Bearer";
            readonly username: string;
        };
        readonly Skill: {
            readonly aliases: readonly string[];
            /** Format: date-time */
            readonly created_at: string;
            readonly description: string;
            readonly enabled: boolean;
            readonly has_storage: boolean;
            readonly id: string;
            readonly implementation: {
                /** @enum {string} */
                readonly type: "prompt" | "http" | "static";
            } & {
                readonly [key: string]: unknown;
            };
            readonly name: string;
            readonly parameters: {
                readonly [key: string]: unknown;
            };
            readonly revision: number;
            readonly scripts: readonly string[];
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly SkillContent: {
            readonly files: readonly components["schemas"]["SkillFile"][];
            /** @description Of SKILL.md; null when it cannot be read */
            readonly front_matter: {
                readonly [key: string]: unknown;
            } | null;
            readonly license: string;
            readonly name: string;
            readonly reference_md: string;
            readonly resources: readonly string[];
            readonly scripts: readonly string[];
            readonly skill_md: string;
            readonly truncated: boolean;
        };
        readonly SkillFile: {
            /** Format: date-time */
            readonly modified: string;
            readonly name: string;
            readonly path: string;
            readonly size: number;
            /** @enum {string} */
            readonly type: "core" | "reference" | "license" | "script" | "resource" | "other";
        };
        readonly SkillFileContent: {
            readonly content: string;
            /** @enum {string} */
            readonly encoding: "utf8" | "base64";
            readonly etag: string;
            readonly file_name: string;
            readonly mime_type: string;
            readonly size: number;
        };
        readonly SkillStorage: {
            readonly files_count: number;
            readonly has_license: boolean;
            readonly has_reference: boolean;
            readonly has_skill_md: boolean;
            readonly name: string;
            readonly preview: string;
            readonly resources: readonly string[];
            readonly scripts: readonly string[];
            readonly size: number;
            readonly skill_id: string | null;
        };
        readonly SkillText: {
            readonly content: string;
            readonly etag: string;
            readonly size: number;
        };
        readonly Speech: {
            readonly audio_url: string;
            readonly cached: boolean;
            readonly duration_ms: number | null;
            readonly filename: string;
            /** @enum {string} */
            readonly format: "mp3" | "wav" | "opus" | "aac" | "flac";
            readonly model: string;
            readonly size: number;
            readonly speed: number;
            readonly text: string;
            readonly voice: string;
        };
        readonly StartedTurn: {
            readonly blocked: boolean;
            readonly trace_id: string;
            readonly user_message: null | components["schemas"]["Message"];
        };
        readonly StartStatus: {
            readonly bot_connected?: boolean;
            readonly components?: readonly {
                readonly error: string | null;
                readonly name: string;
                /** @enum {string} */
                readonly state: "ok" | "degraded" | "down";
            }[];
            readonly error?: string | null;
            readonly packages?: readonly {
                readonly error: string | null;
                readonly error_detail?: {
                    readonly chinese?: string;
                    readonly key: string;
                    readonly params?: {
                        readonly [key: string]: string | number | boolean;
                    };
                } | null;
                readonly name: string;
                /** @enum {string} */
                readonly state: "running" | "disabled" | "failed";
                readonly version: string;
            }[];
            /** @enum {string} */
            readonly phase: "starting" | "ready" | "degraded" | "failed" | "draining";
            readonly ready: boolean;
            readonly uptime_s?: number;
            readonly version?: string;
        };
        readonly StoredMessage: {
            readonly blocked: boolean;
            readonly delivery?: {
                readonly id: string;
                /** @enum {string} */
                readonly status: "pending" | "delivered" | "dead" | "expired";
            } | null;
            readonly filtered: boolean;
            readonly message: null | components["schemas"]["Message"];
            readonly rule_ids: readonly string[];
        };
        readonly Task: {
            readonly config: {
                readonly cron?: string;
                readonly interval_minutes?: number;
                readonly run_at?: string;
                readonly timezone?: string;
            };
            /** Format: date-time */
            readonly created_at: string;
            readonly deletable?: boolean;
            readonly description: string;
            readonly editable?: boolean;
            readonly enabled: boolean;
            /** Format: date-time */
            readonly finished_at?: string | null;
            readonly id: string;
            /** @enum {string} */
            readonly kind: "custom" | "heartbeat" | "workflow";
            readonly last_error?: string | null;
            readonly last_error_detail?: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null;
            readonly last_run?: null | components["schemas"]["Run"];
            readonly name: string;
            /** Format: date-time */
            readonly next_run?: string | null;
            readonly prompt: string;
            readonly recent_runs?: readonly components["schemas"]["Run"][];
            readonly revision: number;
            readonly run_count?: number;
            readonly session_id: string | null;
            readonly skipped_count?: number;
            /** Format: date-time */
            readonly started_at?: string | null;
            /** @enum {string} */
            readonly status?: "idle" | "running" | "success" | "failed";
            readonly target_session_id: string | null;
            /** @enum {string} */
            readonly trigger: "interval" | "cron" | "date";
            readonly trigger_label?: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly TimelineDelivery: {
            readonly attempts: number;
            readonly channel_id: string;
            readonly content: string;
            readonly conversation_id: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly error: string | null;
            readonly error_detail?: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            };
            readonly id: string;
            /** Format: date-time */
            readonly next_retry_at: string | null;
            readonly part: number;
            readonly parts: number;
            readonly platform_message_id: string | null;
            readonly request: {
                readonly [key: string]: unknown;
            };
            readonly response: {
                readonly [key: string]: unknown;
            } | null;
            readonly session_id: string;
            /** @enum {string} */
            readonly status: "pending" | "sending" | "unknown_after_send" | "failed" | "delivered" | "dead" | "expired";
            /** @enum {string} */
            readonly timeline_type: "delivery";
            readonly trace_id: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly TimelineEntry: {
            readonly assistant_message: string;
            readonly character_id: string;
            readonly id: string;
            readonly message_id: string | null;
            readonly message_index: number;
            readonly relationship: {
                readonly [key: string]: unknown;
            };
            readonly session_id: string;
            /** @enum {string} */
            readonly source: "auto" | "manual";
            readonly state: {
                readonly [key: string]: unknown;
            };
            /** Format: date-time */
            readonly timestamp: string;
            readonly user_message: string;
        };
        readonly TimelineEvent: {
            readonly action: string;
            readonly channel_id: string | null;
            readonly conversation_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly error: string | null;
            readonly event_type: string;
            readonly id: string;
            /** @enum {string} */
            readonly level: "debug" | "info" | "warning" | "error";
            readonly message_id: string | null;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly stage: string;
            readonly status: string;
            /** @enum {string} */
            readonly timeline_type: "event";
            readonly trace_id: string;
            readonly user_id: string | null;
        };
        readonly TimelineLog: {
            readonly action: string;
            readonly channel_id: string | null;
            readonly conversation_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly delivery_id: string | null;
            readonly error_code: string | null;
            readonly error_message: string | null;
            readonly id: string;
            /** @enum {string} */
            readonly level: "debug" | "info" | "warning" | "error";
            readonly message: string;
            readonly message_id: string | null;
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            readonly node_id: string;
            readonly parent_id: string | null;
            readonly queue_item_id: string | null;
            readonly request_id: string | null;
            readonly source: string;
            readonly stage: string;
            readonly status: string;
            /** @enum {string} */
            readonly timeline_type: "log";
            readonly tool_name: string | null;
            readonly trace_id: string;
            readonly type: string;
            readonly user_id: string | null;
        };
        readonly TimelineQueueItem: {
            readonly attempt: number;
            readonly channel_id: string;
            readonly conversation_id: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly error: string | null;
            readonly item_id: string;
            readonly max_attempts: number;
            /** Format: date-time */
            readonly next_retry_at: string | null;
            readonly parsed: unknown;
            readonly raw_event: unknown;
            /** @enum {string} */
            readonly status: "pending" | "processing" | "completed" | "failed" | "dead";
            /** @enum {string} */
            readonly timeline_type: "queue_item";
            readonly trace_id: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly Todo: {
            readonly done: boolean;
            readonly id: number;
            readonly text: string;
        };
        readonly Todos: {
            readonly todos: readonly components["schemas"]["Todo"][];
        };
        readonly Toggled: {
            readonly enabled: boolean;
            readonly id: string;
        };
        readonly ToldFailure: {
            readonly code: string;
            readonly detail?: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            };
            readonly error: string;
        };
        readonly Tool: {
            readonly builtin: boolean;
            /** Format: date-time */
            readonly created_at: string;
            readonly description: string;
            readonly enabled: boolean;
            /** @enum {string|null} */
            readonly group: "time_and_web" | "pictures" | "memory" | "knowledge" | "conversation" | "files" | "skills" | "system" | null;
            /** @description What it does, for people; null: they read the description */
            readonly help: {
                readonly en: string;
                readonly zh: string;
            } | null;
            readonly id: string;
            readonly implementation: {
                readonly body?: string | {
                    readonly [key: string]: unknown;
                };
                /** @default  */
                readonly error_message: string;
                /** @default {} */
                readonly headers: {
                    readonly [key: string]: string;
                };
                /** @default {} */
                readonly headers_env: {
                    readonly [key: string]: string;
                };
                /** @default 10000 */
                readonly max_length: number;
                /**
                 * @default GET
                 * @enum {string}
                 */
                readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @default {} */
                readonly query: {
                    readonly [key: string]: string;
                };
                /** @default  */
                readonly response_path: string;
                /** @default 15 */
                readonly timeout_s: number;
                /** @enum {string} */
                readonly type: "http";
                readonly url: string;
            } | {
                readonly result: string;
                /** @enum {string} */
                readonly type: "static";
            } | {
                /** @enum {string} */
                readonly type: "builtin";
            } | ({
                /** @enum {string} */
                readonly type: "http" | "static";
            } & {
                readonly [key: string]: unknown;
            });
            /** @description False: on, but what it needs is not set up */
            readonly is_offered: boolean;
            readonly name: string;
            readonly parameters: {
                readonly [key: string]: unknown;
            };
            readonly requires_confirm: boolean;
            readonly revision: number;
            /** @enum {string} */
            readonly source: "custom" | "builtin" | "plugin";
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly ToolCall: {
            readonly arguments: unknown;
            readonly duration_ms: number;
            readonly id: string;
            readonly name: string;
            readonly result: string;
            /** @enum {string} */
            readonly status: "ok" | "error" | "denied";
        };
        readonly ToolTrial: {
            readonly duration_ms: number;
            readonly error: null | components["schemas"]["ToldFailure"];
            /** @description As it was sent, secrets masked */
            readonly request: {
                readonly body: string | null;
                readonly headers: {
                    readonly [key: string]: string;
                };
                readonly method: string;
                readonly url: string;
            } | null;
            readonly result: string | null;
            readonly status: number | null;
        };
        readonly Trace: {
            readonly deliveries: readonly components["schemas"]["Delivery"][];
            readonly diagnostics: {
                readonly next_step: string;
                readonly possible_causes: readonly string[];
                readonly reason: string;
            } | null;
            readonly events: readonly components["schemas"]["GatewayEvent"][];
            readonly mcp_logs: readonly components["schemas"]["GatewayLog"][];
            readonly queue_items: readonly components["schemas"]["QueueItem"][];
            readonly summary: {
                readonly deliveries_count: number;
                readonly events_count: number;
                readonly has_content: boolean;
                readonly mcp_logs_count: number;
                readonly queue_items_count: number;
            };
            readonly timeline: readonly (components["schemas"]["TimelineEvent"] | components["schemas"]["TimelineLog"] | components["schemas"]["TimelineDelivery"] | components["schemas"]["TimelineQueueItem"])[];
            readonly trace_id: string;
        };
        readonly TracedMessage: {
            readonly cause: string | null;
            readonly channel_id: string;
            readonly conversation_id: string;
            /** Format: date-time */
            readonly created_at: string;
            readonly item_id: string;
            readonly sender: {
                readonly id: string;
                readonly name: string;
            };
            readonly session_id: string;
            /** @enum {string} */
            readonly state: "waiting" | "running" | "done" | "ignored" | "skipped" | "stopped" | "expired" | "failed" | "dead";
            readonly text: string;
            readonly trace_id: string;
        };
        readonly Transcript: {
            readonly duration_ms: number | null;
            readonly language: string | null;
            readonly model: string;
            readonly text: string;
        };
        readonly TransferItem: {
            /** @enum {string} */
            readonly action: "create" | "update" | "skip" | "failed";
            readonly changed_fields: readonly string[];
            readonly id: string;
            readonly name: string;
        };
        readonly TransferredSection: {
            readonly created: number;
            readonly failed: number;
            readonly items: readonly components["schemas"]["TransferItem"][];
            readonly skipped: number;
            readonly updated: number;
        };
        readonly TransferSection: {
            readonly has_secrets: boolean;
            readonly id: string;
            readonly title: {
                readonly en: string;
                readonly zh: string;
            };
        };
        readonly TurnPromptLayer: {
            readonly chars: number;
            readonly key: string;
            readonly priority: number;
        };
        readonly TurnResult: {
            readonly blocked: boolean;
            readonly filtered: boolean;
            readonly replies: readonly components["schemas"]["Message"][];
            readonly stopped: boolean;
            readonly trace_id: string;
            readonly usage: components["schemas"]["TurnUsage"];
            readonly user_message: null | components["schemas"]["Message"];
        };
        readonly TurnUsage: {
            readonly cost: number | null;
            readonly input_tokens: number;
            readonly model: string | null;
            readonly model_id: string | null;
            readonly output_tokens: number;
            readonly total_tokens: number;
        };
        readonly Unpublished: {
            /** @enum {boolean} */
            readonly is_public: false;
        };
        readonly UploadedFile: {
            readonly content: string | null;
            readonly file_id: string;
            readonly filename: string;
            readonly mime_type: string;
            readonly preview_url: string;
            readonly safe_name: string;
            readonly sha256: string;
            readonly size: number;
            readonly url: string;
            readonly workspace: null | components["schemas"]["WorkspaceItem"];
        };
        readonly Usage: {
            readonly cost: number | null;
            readonly input_tokens: number;
            readonly output_tokens: number;
            readonly total_tokens: number;
        };
        readonly UsageDay: {
            readonly cost: number;
            readonly date: string;
            readonly input_tokens: number;
            readonly output_tokens: number;
            readonly requests: number;
            readonly total_tokens: number;
        };
        readonly UsageRow: {
            readonly cost: number | null;
            readonly duration_ms: number;
            readonly id: string;
            readonly input_tokens: number;
            readonly model: string;
            readonly model_id: string;
            readonly ok: boolean;
            readonly output_tokens: number;
            /** @enum {string} */
            readonly purpose: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
            readonly session_id: string | null;
            /** Format: date-time */
            readonly time: string;
            readonly total_tokens: number;
            readonly trace_id: string | null;
            readonly user: string | null;
        };
        readonly UsageSum: {
            readonly cost: number;
            readonly input_tokens: number;
            readonly output_tokens: number;
            readonly requests: number;
            readonly total_tokens: number;
        };
        readonly Workflow: {
            readonly config: {
                readonly cron?: string;
                readonly interval_minutes?: number;
                readonly max_iterations?: number;
                readonly target_id?: string;
                /** @enum {string} */
                readonly target_type?: "none" | "session" | "imA_group" | "imA_private";
                readonly timezone?: string;
                readonly tools?: readonly string[];
            };
            /** Format: date-time */
            readonly created_at: string;
            readonly description: string;
            readonly enabled: boolean;
            /** Format: date-time */
            readonly finished_at?: string | null;
            readonly id: string;
            readonly last_error?: string | null;
            readonly last_error_detail?: {
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null;
            readonly last_run?: null | components["schemas"]["Run"];
            readonly name: string;
            /** Format: date-time */
            readonly next_run?: string | null;
            readonly recent_runs?: readonly components["schemas"]["Run"][];
            readonly revision: number;
            readonly run_count?: number;
            readonly session_id: string | null;
            readonly skipped_count?: number;
            /** Format: date-time */
            readonly started_at?: string | null;
            /** @enum {string} */
            readonly status?: "idle" | "running" | "success" | "failed";
            readonly steps: readonly {
                /** @enum {string} */
                readonly action: "ai" | "tool" | "message" | "delay";
                readonly condition?: {
                    /** @enum {string} */
                    readonly op: "eq" | "ne" | "contains" | "empty" | "not_empty" | "gt" | "lt";
                    readonly value?: string | number | boolean | null;
                    readonly var: string;
                };
                readonly id: string;
                readonly input: {
                    readonly model_id?: string;
                    readonly prompt: string;
                    readonly system?: string;
                    readonly tools?: readonly string[];
                } | {
                    /** @default {} */
                    readonly arguments: {
                        readonly [key: string]: unknown;
                    };
                    readonly name: string;
                } | {
                    readonly content: string;
                    readonly target_id?: string;
                    /** @enum {string} */
                    readonly target_type?: "none" | "session" | "imA_group" | "imA_private";
                } | {
                    readonly seconds: number;
                };
                /**
                 * @default stop
                 * @enum {string}
                 */
                readonly on_error: "stop" | "continue";
                readonly output_var?: string;
                /** @default 0 */
                readonly retry: number;
                /** @default 60 */
                readonly timeout_s: number;
            }[];
            /** @enum {string} */
            readonly trigger: "manual" | "cron" | "interval";
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly WorkspaceDeletion: {
            readonly deleted: boolean;
            readonly path: string;
            readonly removed: number;
        };
        readonly WorkspaceItem: {
            readonly etag: string;
            readonly mime_type: string;
            /** Format: date-time */
            readonly modified_at: string;
            readonly name: string;
            readonly path: string;
            /** @enum {string} */
            readonly scope: "private" | "shared";
            readonly session_id: string | null;
            readonly size: number;
            /** @enum {string} */
            readonly type: "file" | "directory";
        };
        readonly WorkspaceUpload: {
            readonly failed: readonly {
                readonly detail?: {
                    readonly chinese?: string;
                    readonly key: string;
                    readonly params?: {
                        readonly [key: string]: string | number | boolean;
                    };
                };
                readonly error: string;
                readonly filename: string;
            }[];
            readonly items: readonly components["schemas"]["WorkspaceItem"][];
        };
        readonly WorldBook: {
            readonly card: {
                readonly [key: string]: unknown;
            };
            readonly character_ids: readonly string[];
            /** Format: date-time */
            readonly created_at: string;
            readonly description: string;
            readonly enabled: boolean;
            readonly entries?: readonly components["schemas"]["WorldBookEntry"][];
            readonly entries_truncated?: boolean;
            readonly entry_count: number;
            readonly id: string;
            readonly name: string;
            readonly revision: number;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly WorldBookEntry: {
            readonly always_on: boolean;
            readonly book_id: string;
            readonly card: {
                readonly [key: string]: unknown;
            };
            readonly case_sensitive: boolean;
            readonly content: string;
            readonly cooldown_turns: number;
            /** Format: date-time */
            readonly created_at: string;
            readonly enabled: boolean;
            /** @enum {string} */
            readonly entry_type: "relationship" | "rule" | "location" | "event" | "npc" | "faction" | "lore" | "style" | "secret";
            readonly id: string;
            readonly insertion_order: number;
            readonly keywords: readonly string[];
            /** @enum {string} */
            readonly match_mode: "any" | "all";
            readonly max_injections_per_session: number;
            readonly name: string;
            readonly priority: number;
            readonly revision: number;
            readonly secondary_keywords: readonly string[];
            readonly selective: boolean;
            /** @enum {string} */
            readonly selective_logic: "and_any" | "and_all" | "not_any" | "not_all";
            readonly state_triggers: {
                readonly [key: string]: readonly string[];
            };
            readonly tags: readonly string[];
            readonly trigger_sources: readonly ("user" | "assistant_recent" | "history" | "scene_state")[];
            /** Format: date-time */
            readonly updated_at: string;
            readonly use_regex: boolean;
            readonly warning_details?: readonly ({
                readonly chinese?: string;
                readonly key: string;
                readonly params?: {
                    readonly [key: string]: string | number | boolean;
                };
            } | null)[];
            readonly warnings: readonly string[];
            readonly weight: number;
        };
        readonly WorldBookHit: {
            readonly end: number;
            readonly keyword: string;
            readonly place: string;
            readonly start: number;
        };
        readonly WorldBookTestMatch: {
            readonly dropped: readonly {
                readonly entry_id: string;
                readonly entry_name?: string;
                readonly hits?: readonly components["schemas"]["WorldBookHit"][];
                readonly reason: string;
                readonly score?: number;
                readonly world_book_id?: string;
            }[];
            readonly injected_chars: number;
            readonly matches: readonly {
                readonly chars: number;
                readonly content_preview: string;
                readonly entry_id: string;
                readonly entry_name: string;
                /** @enum {string} */
                readonly entry_type: "relationship" | "rule" | "location" | "event" | "npc" | "faction" | "lore" | "style" | "secret";
                readonly hits: readonly components["schemas"]["WorldBookHit"][];
                readonly injected: boolean;
                readonly matched_keywords: readonly string[];
                readonly priority: number;
                readonly reason?: string;
                readonly score: number;
                readonly trigger_sources: readonly string[];
                readonly weight: number;
                readonly world_book_id: string;
                readonly world_book_name: string;
            }[];
            /** @enum {string} */
            readonly mode: "simple" | "multi";
        };
        readonly WrittenSkillFile: {
            readonly etag: string;
            readonly file_name: string;
            readonly size: number;
        };
    };
    responses: {
        /** @description A failure. */
        readonly Failure: {
            headers: {
                /** @description Its key, the field it is about, its parameters, its sentence in Chinese (`chinese`, where it brings one along) and what else is wrong (`others`), as JSON: for those who show it in another language or at its fields. */
                readonly "X-Parley-Error"?: string;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: {
        /** @description The same for a repeat of a request that may have arrived: it is done once. */
        readonly IdempotencyKey: string;
        /** @description The revision that is changed, like `"3"`; another one is a conflict. */
        readonly IfMatch: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly get_root: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly get_root_well_known_oauth_authorization_server: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuthorizationServer"];
                };
            };
        };
    };
    readonly get_root_well_known_oauth_protected_resource: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ProtectedResource"];
                };
            };
        };
    };
    readonly get_root_well_known_oauth_protected_resource_mcp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ProtectedResource"];
                };
            };
        };
    };
    readonly get_account_logins: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["LoginToken"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_account_logins: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly ended: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_account_logins_by_token_hash: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly token_hash: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_account_password: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * @description End the other logins, and the access of clients let in
                     * @default true
                     */
                    readonly end_others?: boolean;
                    readonly new_password: string;
                    readonly old_password: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly ended: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_accounts: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly role?: "admin" | "operator" | "reader";
                readonly sort?: "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Account"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_accounts: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                    /**
                     * @default operator
                     * @enum {string}
                     */
                    readonly role?: "admin" | "operator" | "reader";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["NewAccount"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_accounts_by_account_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly account_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Account"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_accounts_by_account_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly account_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly name?: string;
                    /** @enum {string} */
                    readonly role?: "admin" | "operator" | "reader";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Account"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_accounts_by_account_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly account_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_accounts_by_account_id_new_password: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly account_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["NewPassword"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_ai_config: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["AiConfig"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_ai_config: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly api_key?: string | null;
                    readonly api_key_env?: string | null;
                    readonly append_base_url_path?: boolean;
                    readonly base_url?: string;
                    readonly enable_memory?: boolean;
                    readonly frequency_penalty?: number;
                    readonly max_context_length?: number;
                    readonly max_tokens?: number;
                    readonly model?: string;
                    readonly presence_penalty?: number;
                    readonly protocol?: string;
                    readonly provider?: string;
                    readonly retry_count?: number;
                    readonly search_api_key_env?: string | null;
                    readonly search_api_url?: string;
                    readonly stream?: boolean;
                    readonly supports_reasoning?: boolean;
                    readonly supports_stream?: boolean;
                    readonly supports_tools?: boolean;
                    readonly system_prompt?: string;
                    readonly temperature?: number;
                    readonly timeout_s?: number;
                    readonly top_p?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["AiConfig"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_ai_config_all_purposes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly configs: {
                                readonly [key: string]: null | components["schemas"]["PurposeConfig"];
                            };
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_ai_config_by_purpose_by_purpose: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly purpose: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["PurposeConfig"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_ai_config_test: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly api_key?: string | null;
                    readonly api_key_env?: string | null;
                    readonly base_url?: string;
                    readonly model?: string;
                    readonly protocol?: string;
                    /** @default 20 */
                    readonly timeout_s?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["ConnectionTrial"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_ai_models: {
        readonly parameters: {
            readonly query?: {
                readonly enabled?: boolean;
                readonly limit?: number;
                readonly offset?: number;
                readonly protocol?: string;
                readonly purpose?: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
                readonly q?: string;
                readonly sort?: "purpose" | "-purpose" | "name" | "-name" | "priority" | "-priority" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Model"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_ai_models: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly api_key?: string | null;
                    readonly api_key_env?: string | null;
                    readonly append_base_url_path?: boolean;
                    readonly audio_format?: string;
                    readonly base_url?: string;
                    readonly dimensions?: number;
                    readonly enabled?: boolean;
                    readonly extra_body?: {
                        readonly [key: string]: unknown;
                    };
                    readonly extra_headers_env?: {
                        readonly [key: string]: string;
                    };
                    readonly failover_timeout_s?: number;
                    readonly frequency_penalty?: number;
                    readonly input_price?: number;
                    readonly language?: string;
                    readonly max_context_length?: number;
                    readonly max_tokens?: number;
                    readonly model: string;
                    readonly name: string;
                    readonly output_price?: number;
                    readonly pitch?: number;
                    readonly presence_penalty?: number;
                    readonly priority?: number;
                    readonly protocol?: string;
                    readonly provider?: string;
                    /** @enum {string} */
                    readonly purpose?: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
                    readonly retry_count?: number;
                    readonly speed?: number;
                    readonly supports_reasoning?: boolean;
                    readonly supports_stream?: boolean;
                    readonly supports_tools?: boolean;
                    readonly system_prompt?: string;
                    readonly temperature?: number;
                    readonly timeout_s?: number;
                    readonly token_limit_daily?: number;
                    readonly token_limit_weekly?: number;
                    readonly top_p?: number;
                    readonly voice?: string;
                    readonly volume?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Model"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_ai_models_by_model_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly api_key?: string | null;
                    readonly api_key_env?: string | null;
                    readonly append_base_url_path?: boolean;
                    readonly audio_format?: string;
                    readonly base_url?: string;
                    readonly dimensions?: number;
                    readonly enabled?: boolean;
                    readonly extra_body?: {
                        readonly [key: string]: unknown;
                    };
                    readonly extra_headers_env?: {
                        readonly [key: string]: string;
                    };
                    readonly failover_timeout_s?: number;
                    readonly frequency_penalty?: number;
                    readonly input_price?: number;
                    readonly language?: string;
                    readonly max_context_length?: number;
                    readonly max_tokens?: number;
                    readonly model?: string;
                    readonly name?: string;
                    readonly output_price?: number;
                    readonly pitch?: number;
                    readonly presence_penalty?: number;
                    readonly priority?: number;
                    readonly protocol?: string;
                    readonly provider?: string;
                    /** @enum {string} */
                    readonly purpose?: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
                    readonly retry_count?: number;
                    readonly speed?: number;
                    readonly supports_reasoning?: boolean;
                    readonly supports_stream?: boolean;
                    readonly supports_tools?: boolean;
                    readonly system_prompt?: string;
                    readonly temperature?: number;
                    readonly timeout_s?: number;
                    readonly token_limit_daily?: number;
                    readonly token_limit_weekly?: number;
                    readonly top_p?: number;
                    readonly voice?: string;
                    readonly volume?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Model"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_ai_models_by_model_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_ai_models_by_model_id_apply: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @enum {string} */
                    readonly purpose?: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly model_id: string;
                            readonly previous_model_id: string | null;
                            /** @enum {string} */
                            readonly purpose: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_ai_models_by_model_id_clone: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly name?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Model"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_ai_models_by_model_id_set_purpose: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @enum {string} */
                    readonly purpose: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
                    /** @default true */
                    readonly reset_defaults?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Model"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_ai_models_by_model_id_test: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly prompt?: string;
                    /** @default 30 */
                    readonly timeout_s?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["ModelTrial"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_ai_models_by_model_id_toggle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly enabled?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly enabled: boolean;
                            readonly id: string;
                            readonly is_active: boolean;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_ai_models_active_by_purpose: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly active_models: {
                                readonly [key: string]: components["schemas"]["ActiveModel"];
                            };
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_ai_models_available: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly api_key?: string | null;
                    readonly api_key_env?: string | null;
                    readonly base_url?: string;
                    readonly model_id?: string;
                    readonly protocol?: string;
                    /** @default 20 */
                    readonly timeout_s?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["ServerModels"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_ai_models_by_purpose_by_purpose: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly purpose: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Model"][];
                            readonly limit: number;
                            readonly offset: number;
                            /** @enum {string} */
                            readonly purpose: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_ai_models_failover_queue_by_purpose: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly purpose: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["QueuedModel"][];
                            readonly limit: number;
                            readonly offset: number;
                            /** @enum {string} */
                            readonly purpose: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_ai_models_failover_reorder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly priorities: readonly {
                        readonly id: string;
                        readonly priority: number;
                    }[];
                    /**
                     * @default chat
                     * @enum {string}
                     */
                    readonly purpose?: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly active_model_id: string | null;
                            readonly queue: {
                                readonly items: readonly components["schemas"]["QueuedModel"][];
                                readonly limit: number;
                                readonly offset: number;
                                /** @enum {string} */
                                readonly purpose: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
                                readonly total: number;
                            };
                            readonly updated: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_ai_models_failover_reset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly model_id?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly reset: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_ai_models_failover_status: {
        readonly parameters: {
            readonly query?: {
                readonly purpose?: "chat" | "vision" | "video" | "image_generation" | "tts" | "stt" | "embedding" | "rerank";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly health: {
                                readonly [key: string]: components["schemas"]["ModelHealth"];
                            };
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_ai_models_protocols: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Protocol"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_ai_models_purposes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Purpose"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_api_keys: {
        readonly parameters: {
            readonly query?: {
                readonly enabled?: boolean;
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly sort?: "created_at" | "-created_at" | "name" | "-name" | "updated_at" | "-updated_at";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["ApiKey"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_api_keys: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default true */
                    readonly enabled?: boolean;
                    /** @default null */
                    readonly expires_at?: string | null;
                    readonly name: string;
                    /** @default 0 */
                    readonly rate_limit_per_minute?: number;
                    readonly scopes: readonly ("read" | "chat" | "write" | "admin" | "mcp")[];
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["NewApiKey"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_api_keys_by_key_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly key_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["ApiKey"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_api_keys_by_key_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly key_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly enabled?: boolean;
                    readonly expires_at?: string | null;
                    readonly name?: string;
                    readonly rate_limit_per_minute?: number;
                    readonly scopes?: readonly ("read" | "chat" | "write" | "admin" | "mcp")[];
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["ApiKey"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_api_keys_by_key_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly key_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_automation_calendar: {
        readonly parameters: {
            readonly query?: {
                readonly days?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["PlannedTimes"][];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_avatar_comment: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly recent_messages?: readonly {
                        /** @description At most 32,000 characters */
                        readonly content: string;
                        /** @enum {string} */
                        readonly role: "user" | "assistant" | "system";
                    }[];
                    readonly session_id?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly message: string | null;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_avatar_history: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["AvatarMessage"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_avatar_menu_options: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly avatar?: {
                        readonly mood?: string | null;
                        readonly name?: string | null;
                    } & {
                        readonly [key: string]: null | string | number | boolean;
                    };
                    readonly frontend?: {
                        readonly chat_tab?: string | null;
                        readonly current_page?: string | null;
                        readonly current_session?: string | null;
                        readonly is_loading?: boolean;
                        readonly socket_connected?: boolean;
                    };
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly greeting: string;
                            readonly options: readonly string[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_avatar_random_talk: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly avatar?: {
                        readonly mood?: string | null;
                        readonly name?: string | null;
                    } & {
                        readonly [key: string]: null | string | number | boolean;
                    };
                    readonly frontend?: {
                        readonly chat_tab?: string | null;
                        readonly current_page?: string | null;
                        readonly current_session?: string | null;
                        readonly is_loading?: boolean;
                        readonly socket_connected?: boolean;
                    };
                    readonly topic?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly message: string;
                            readonly pending: {
                                readonly arguments: unknown;
                                readonly confirm_id: string;
                                readonly tool: string;
                            } | null;
                            readonly status: {
                                readonly channels_down: number;
                                readonly model: string | null;
                                readonly sessions: number;
                                readonly unread: number;
                            };
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_avatar_reset: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly deleted: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_broadcasts: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Broadcast"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_broadcasts: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly audience: {
                        readonly active_days?: number;
                        readonly channel_ids?: readonly string[];
                        readonly folder?: string;
                        /**
                         * @default all
                         * @enum {string}
                         */
                        readonly kind?: "all" | "private" | "group";
                        readonly session_ids?: readonly string[];
                        readonly tag?: string;
                    };
                    /** @description As many conversations as the preview counted */
                    readonly expected: number;
                    /**
                     * @description How many are sent in a minute at most
                     * @default 60
                     */
                    readonly per_minute?: number;
                    /** @description The caller's own id: a repeat begins nothing new */
                    readonly temp_id?: string;
                    readonly text: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Broadcast"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_broadcasts_by_broadcast_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly broadcast_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Broadcast"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_broadcasts_by_broadcast_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly broadcast_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_broadcasts_by_broadcast_id_continue: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly broadcast_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * @description Tries those again that nothing was sent to
                     * @default false
                     */
                    readonly failed?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Broadcast"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_broadcasts_by_broadcast_id_recipients: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
                readonly state?: "waiting" | "sent" | "delivered" | "failed";
            };
            readonly header?: never;
            readonly path: {
                readonly broadcast_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["BroadcastRecipient"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_broadcasts_by_broadcast_id_stop: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly broadcast_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Broadcast"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_broadcasts_preview: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly audience: {
                        readonly active_days?: number;
                        readonly channel_ids?: readonly string[];
                        readonly folder?: string;
                        /**
                         * @default all
                         * @enum {string}
                         */
                        readonly kind?: "all" | "private" | "group";
                        readonly session_ids?: readonly string[];
                        readonly tag?: string;
                    };
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["BroadcastPreview"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_channels: {
        readonly parameters: {
            readonly query?: {
                readonly builtin?: boolean;
                readonly enabled?: boolean;
                readonly limit?: number;
                readonly offset?: number;
                readonly sort?: "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                readonly type?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Channel"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_channels: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default {} */
                    readonly capabilities?: {
                        readonly supports_file_send?: boolean;
                        readonly supports_progress_updates?: boolean;
                        readonly supports_stop?: boolean;
                        readonly supports_stream?: boolean;
                        readonly supports_tools?: boolean;
                    };
                    /** @default {} */
                    readonly config?: {
                        readonly [key: string]: unknown;
                    };
                    /** @default  */
                    readonly description?: string;
                    /** @default true */
                    readonly enabled?: boolean;
                    readonly id?: string;
                    readonly name: string;
                    readonly secrets?: {
                        readonly [key: string]: string | null;
                    };
                    readonly transport?: string;
                    /** @default custom */
                    readonly type?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Channel"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_channels_by_channel_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly capabilities?: {
                        readonly supports_file_send?: boolean;
                        readonly supports_progress_updates?: boolean;
                        readonly supports_stop?: boolean;
                        readonly supports_stream?: boolean;
                        readonly supports_tools?: boolean;
                    };
                    readonly config?: {
                        readonly [key: string]: unknown;
                    };
                    readonly description?: string;
                    readonly enabled?: boolean;
                    readonly name?: string;
                    readonly secrets?: {
                        readonly [key: string]: string | null;
                    };
                    readonly transport?: string;
                    readonly type?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Channel"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_channels_by_channel_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_channels_by_channel_id_check: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly config?: {
                        readonly [key: string]: unknown;
                    };
                    readonly secrets?: {
                        readonly [key: string]: string | null;
                    };
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly account: string;
                            readonly warnings: readonly string[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_channels_by_channel_id_test_message: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly conversation_id: string;
                    /** @default false */
                    readonly is_group?: boolean;
                    readonly text: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly platform_message_id: string | null;
                            readonly quality: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_channels_by_channel_id_toggle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly enabled?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly enabled: boolean;
                            readonly id: string;
                            readonly status: components["schemas"]["ChannelStatus"];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_channels_imB_by_channel_id_set_webhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly webhook_url?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly result: {
                                readonly last_error_date?: number;
                                readonly last_error_message?: string;
                                readonly pending_update_count?: number;
                                readonly url: string;
                            };
                            readonly warning?: string;
                            readonly webhook_url: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_channels_imB_by_channel_id_webhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "*/*": unknown;
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly ok: boolean;
                    };
                };
            };
        };
    };
    readonly post_channels_imC_ws_by_channel_id_start: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly channel_id: string;
                            readonly started: boolean;
                            /** @enum {string} */
                            readonly state: "stopped" | "connecting" | "connected" | "reconnecting" | "error";
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_channels_imC_ws_by_channel_id_status: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly channel_id: string;
                            readonly connected: boolean;
                            /** Format: date-time */
                            readonly connected_at: string | null;
                            readonly enabled: boolean;
                            readonly last_error: string | null;
                            /** Format: date-time */
                            readonly last_event_at: string | null;
                            readonly reconnects: number;
                            /** @enum {string} */
                            readonly state: "stopped" | "connecting" | "connected" | "reconnecting" | "error";
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_channels_imC_ws_by_channel_id_stop: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly channel_id: string;
                            /** @enum {string} */
                            readonly state: "stopped";
                            readonly stopped: boolean;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_channels_imC_by_channel_id_webhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "*/*": unknown;
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly ok: boolean;
                    } | {
                        readonly challenge: unknown;
                    };
                };
            };
        };
    };
    readonly get_channels_presets: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["ChannelPreset"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_channels_presets_by_preset_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly preset_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly capabilities?: {
                        readonly supports_file_send?: boolean;
                        readonly supports_progress_updates?: boolean;
                        readonly supports_stop?: boolean;
                        readonly supports_stream?: boolean;
                        readonly supports_tools?: boolean;
                    };
                    readonly config?: {
                        readonly [key: string]: unknown;
                    };
                    readonly description?: string;
                    readonly enabled?: boolean;
                    readonly id?: string;
                    readonly name?: string;
                    readonly secrets?: {
                        readonly [key: string]: string | null;
                    };
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Channel"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_characters: {
        readonly parameters: {
            readonly query?: {
                readonly favorite?: boolean;
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly sort?: "updated_at" | "-updated_at" | "name" | "-name" | "created_at" | "-created_at";
                readonly tag?: string;
                readonly tags?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["ListedCharacter"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_characters: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly alternate_greetings?: readonly string[];
                    readonly avatar?: string;
                    readonly basic_info?: string;
                    readonly card_extra?: {
                        readonly [key: string]: unknown;
                    };
                    /** @enum {string} */
                    readonly card_spec?: "native" | "v1" | "v2" | "v3";
                    readonly character_version?: string;
                    readonly creator?: string;
                    readonly creator_notes?: string;
                    readonly description?: string;
                    readonly example_dialogues?: string;
                    readonly extensions?: {
                        readonly [key: string]: unknown;
                    };
                    readonly favorite?: boolean;
                    readonly first_message?: string;
                    readonly id?: string;
                    readonly initial_state?: {
                        readonly [key: string]: unknown;
                    };
                    readonly name?: string;
                    readonly personality?: string;
                    readonly portrait?: string;
                    readonly post_history_instructions?: string;
                    readonly preset_id?: string;
                    readonly response_format?: string;
                    readonly rules?: readonly string[];
                    readonly scenario?: string;
                    readonly system_prompt?: string;
                    /** @enum {string} */
                    readonly system_prompt_mode?: "auto" | "manual";
                    readonly tags?: readonly string[];
                    readonly world_book_ids?: readonly string[];
                } & {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Character"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_characters_by_character_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly character_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Character"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_characters_by_character_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly character_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly alternate_greetings?: readonly string[];
                    readonly avatar?: string;
                    readonly basic_info?: string;
                    readonly card_extra?: {
                        readonly [key: string]: unknown;
                    };
                    /** @enum {string} */
                    readonly card_spec?: "native" | "v1" | "v2" | "v3";
                    readonly character_version?: string;
                    readonly creator?: string;
                    readonly creator_notes?: string;
                    readonly description?: string;
                    readonly example_dialogues?: string;
                    readonly extensions?: {
                        readonly [key: string]: unknown;
                    };
                    readonly favorite?: boolean;
                    readonly first_message?: string;
                    readonly initial_state?: {
                        readonly [key: string]: unknown;
                    };
                    readonly name?: string;
                    readonly personality?: string;
                    readonly portrait?: string;
                    readonly post_history_instructions?: string;
                    readonly response_format?: string;
                    readonly rules?: readonly string[];
                    readonly scenario?: string;
                    readonly system_prompt?: string;
                    /** @enum {string} */
                    readonly system_prompt_mode?: "auto" | "manual";
                    readonly tags?: readonly string[];
                    readonly world_book_ids?: readonly string[];
                } & {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Character"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_characters_by_character_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly character_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            /** @enum {boolean} */
                            readonly deleted: true;
                            readonly id: string;
                            readonly sessions_unbound: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_characters_by_character_id_debug_latest_turn: {
        readonly parameters: {
            readonly query?: {
                readonly scope_id?: string;
                readonly session_id?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly character_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly turn: null | components["schemas"]["LatestTurn"];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_characters_by_character_id_memories: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly target_id?: string;
                readonly type?: "all" | "long" | "short";
            };
            readonly header?: never;
            readonly path: {
                readonly character_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Memory"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_characters_by_character_id_memories: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly character_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly content: string;
                    /** @default {} */
                    readonly emotion_impact?: {
                        readonly [key: string]: unknown;
                    };
                    /** @default 7 */
                    readonly expire_days?: number;
                    /** @default 5 */
                    readonly importance?: number;
                    /**
                     * @default other
                     * @enum {string}
                     */
                    readonly kind?: "fact" | "preference" | "event" | "plan" | "relation" | "other";
                    /**
                     * @default normal
                     * @enum {string}
                     */
                    readonly priority?: "high" | "normal" | "low";
                    /** @default  */
                    readonly summary?: string;
                    /** @default [] */
                    readonly tags?: readonly string[];
                    /** @default null */
                    readonly target_id?: string | null;
                    readonly title?: string;
                    /**
                     * @default long
                     * @enum {string}
                     */
                    readonly type?: "long" | "short";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Memory"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_characters_by_character_id_memories_by_memory_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly character_id: string;
                readonly memory_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_characters_by_character_id_relationships: {
        readonly parameters: {
            readonly query?: {
                readonly session_id?: string;
                readonly target_id?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly character_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["CharacterRelationship"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_characters_by_character_id_relationships: {
        readonly parameters: {
            readonly query?: {
                readonly session_id?: string;
                readonly target_id?: string;
            };
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly character_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly affection?: number;
                    readonly dependency?: number;
                    readonly familiarity?: number;
                    readonly jealousy?: number;
                    readonly security?: number;
                    readonly trust?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["CharacterRelationship"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_characters_by_character_id_state: {
        readonly parameters: {
            readonly query?: {
                readonly scope_id?: string;
                readonly session_id?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly character_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["CharacterState"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_characters_by_character_id_state: {
        readonly parameters: {
            readonly query?: {
                readonly scope_id?: string;
                readonly session_id?: string;
            };
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly character_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly energy?: number;
                    readonly mood?: string;
                    readonly mood_intensity?: number;
                    readonly scene?: {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["CharacterState"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_characters_runtime_initialize: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly character_ids?: readonly string[];
                    /** @default false */
                    readonly force?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly already: boolean;
                            readonly characters: number;
                            readonly duration_ms: number;
                            readonly errors: readonly {
                                readonly character_id: string;
                                readonly detail?: {
                                    readonly chinese?: string;
                                    readonly key: string;
                                    readonly params?: {
                                        readonly [key: string]: string | number | boolean;
                                    };
                                };
                                readonly error: string;
                            }[];
                            /** @enum {boolean} */
                            readonly initialized: true;
                            readonly scopes: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_characters_runtime_status: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly auto_state: {
                                readonly failures: number;
                                readonly interval: number;
                                readonly runs: number;
                            };
                            readonly characters: number;
                            readonly initialized: boolean;
                            readonly last_error: string | null;
                            readonly last_error_detail?: {
                                readonly chinese?: string;
                                readonly key: string;
                                readonly params?: {
                                    readonly [key: string]: string | number | boolean;
                                };
                            } | null;
                            readonly scopes: number;
                            /** Format: date-time */
                            readonly started_at: string | null;
                            /** @enum {string} */
                            readonly state: "running" | "stopped" | "error";
                            readonly targets: number;
                            readonly turns: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_commands: {
        readonly parameters: {
            readonly query?: {
                readonly admin_only?: boolean;
                readonly category?: string;
                readonly channel?: string;
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Command"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_config_transfer_export: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default false */
                    readonly include_secrets?: boolean;
                    readonly password: string;
                    readonly sections?: readonly string[];
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/zip": string;
                };
            };
        };
    };
    readonly post_config_transfer_import: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "multipart/form-data": {
                    /** @default false */
                    readonly confirm?: boolean;
                    /** @default false */
                    readonly dry_run?: boolean;
                    /** @description The package */
                    readonly file?: unknown;
                    /**
                     * @default skip
                     * @enum {string}
                     */
                    readonly mode?: "skip" | "overwrite";
                    readonly password: string;
                    /** @description A JSON list, or names with commas */
                    readonly sections?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["ConfigImport"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_config_transfer_sections: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["TransferSection"][];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_confirmations: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Confirmation"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_confirmations_by_request_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly request_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly approved: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly approved: boolean;
                            readonly request_id: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_console_areas: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly {
                                /** @enum {string} */
                                readonly group: "chat" | "bot" | "knowledge" | "connections" | "automation" | "safety" | "system";
                                readonly icon: string;
                                readonly id: string;
                                readonly title: {
                                    readonly en: string;
                                    readonly zh: string;
                                };
                                readonly view: {
                                    /** @enum {string} */
                                    readonly kind: "page" | "resource" | "module";
                                    readonly page?: string;
                                    readonly resource?: string;
                                    readonly url?: string;
                                };
                            }[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_console_resources: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly {
                                readonly about: {
                                    readonly en: string;
                                    readonly zh: string;
                                };
                                readonly actions: readonly {
                                    readonly answer?: string;
                                    readonly bulk?: boolean;
                                    readonly confirm?: {
                                        readonly en: string;
                                        readonly zh: string;
                                    };
                                    readonly form?: {
                                        readonly properties?: {
                                            readonly [key: string]: unknown;
                                        };
                                    } & {
                                        readonly [key: string]: unknown;
                                    };
                                    readonly id: string;
                                    readonly method: string;
                                    readonly path: string;
                                    readonly scope: string;
                                    readonly title: {
                                        readonly en: string;
                                        readonly zh: string;
                                    };
                                }[];
                                readonly columns: readonly {
                                    readonly field: string;
                                    readonly options?: readonly {
                                        readonly title: {
                                            readonly en: string;
                                            readonly zh: string;
                                        };
                                        readonly value: string;
                                    }[];
                                    readonly title: {
                                        readonly en: string;
                                        readonly zh: string;
                                    };
                                    readonly type: string;
                                }[];
                                readonly created: readonly {
                                    readonly field: string;
                                    readonly options?: readonly {
                                        readonly title: {
                                            readonly en: string;
                                            readonly zh: string;
                                        };
                                        readonly value: string;
                                    }[];
                                    readonly title: {
                                        readonly en: string;
                                        readonly zh: string;
                                    };
                                    readonly type: string;
                                }[];
                                readonly edit: {
                                    readonly properties?: {
                                        readonly [key: string]: unknown;
                                    };
                                } & {
                                    readonly [key: string]: unknown;
                                };
                                readonly filters: readonly {
                                    readonly field: string;
                                    readonly options?: readonly {
                                        readonly title: {
                                            readonly en: string;
                                            readonly zh: string;
                                        };
                                        readonly value: string;
                                    }[];
                                    readonly title: {
                                        readonly en: string;
                                        readonly zh: string;
                                    };
                                    readonly type: string;
                                }[];
                                readonly form: {
                                    readonly properties?: {
                                        readonly [key: string]: unknown;
                                    };
                                } & {
                                    readonly [key: string]: unknown;
                                };
                                readonly kind: string;
                                readonly param: string;
                                readonly path: string;
                                readonly scopes: {
                                    readonly change: string;
                                    readonly read: string;
                                };
                                readonly search: boolean;
                                readonly sort: readonly string[];
                                readonly title: {
                                    readonly many: {
                                        readonly en: string;
                                        readonly zh: string;
                                    };
                                    readonly one: {
                                        readonly en: string;
                                        readonly zh: string;
                                    };
                                };
                                readonly verbs: readonly string[];
                            }[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_docs: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly get_files: {
        readonly parameters: {
            readonly query?: {
                readonly kind?: "image" | "audio" | "video";
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["ListedFile"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_files_by_safe_name_preview: {
        readonly parameters: {
            readonly query?: {
                readonly max_chars?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly safe_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["FilePreview"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_gateway_by_channel_id_webhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly channel_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "*/*": unknown;
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GatewayResult"] | {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly get_gateway_dead_letters: {
        readonly parameters: {
            readonly query?: {
                readonly cause?: string;
                readonly channel_id?: string;
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["DeadLetter"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_gateway_dead_letters_by_item_id_retry: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly item_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default false */
                    readonly confirm?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly item_id: string;
                            /** @enum {string} */
                            readonly status: "pending";
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_gateway_dead_letters_discard: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly cause?: string;
                    readonly channel_id?: string;
                    readonly item_id?: string;
                    readonly reason: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly discarded: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_gateway_deliveries: {
        readonly parameters: {
            readonly query?: {
                readonly channel_id?: string;
                readonly limit?: number;
                readonly offset?: number;
                readonly status?: "pending" | "sending" | "unknown_after_send" | "failed" | "delivered" | "dead" | "expired";
                readonly trace_id?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Delivery"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_gateway_events: {
        readonly parameters: {
            readonly query?: {
                readonly channel_id?: string;
                readonly event_type?: string;
                readonly level?: "debug" | "info" | "warning" | "error";
                readonly limit?: number;
                readonly offset?: number;
                readonly since?: string;
                readonly status?: "auth_failed" | "unknown_channel" | "disabled_channel" | "parse_failed" | "verified" | "missing_parser" | "parsed" | "deduped" | "received" | "ignored" | "duplicated" | "queued" | "rate_limited" | "queue_full" | "dispatched" | "build_request_failed" | "dispatch_failed" | "model_selected" | "model_failover" | "filtered" | "delivering" | "delivered" | "built" | "no_sender" | "unknown_after_send" | "delivery_failed" | "partial_failed" | "retried" | "discarded" | "overload" | "completed" | "stopped" | "failed" | "dead" | "expired";
                readonly trace_id?: string;
                readonly until?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["GatewayEvent"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_gateway_events_by_trace_id: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly trace_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["GatewayEvent"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                            readonly trace_id: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_gateway_health: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly components: {
                                readonly [key: string]: components["schemas"]["HealthComponent"];
                            };
                            readonly service: string;
                            /** @enum {string} */
                            readonly status: "ok" | "degraded" | "down";
                            /** Format: date-time */
                            readonly time: string;
                            readonly version: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_gateway_logs: {
        readonly parameters: {
            readonly query?: {
                readonly channel_id?: string;
                readonly level?: "debug" | "info" | "warning" | "error";
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly since?: string;
                readonly source?: "gateway" | "mcp" | "web";
                readonly status?: string;
                readonly tool_name?: string;
                readonly trace_id?: string;
                readonly type?: string;
                readonly until?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly count: number;
                            readonly items: readonly components["schemas"]["GatewayLog"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_gateway_logs_lookup_by_value: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly value: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly best_guess: {
                                readonly confidence: number;
                                readonly type: string;
                            };
                            readonly input: string;
                            readonly matches: readonly {
                                readonly count: number;
                                readonly source: string;
                                readonly type: string;
                            }[];
                            readonly next_tools: readonly {
                                readonly args: {
                                    readonly [key: string]: string;
                                };
                                readonly tool: string;
                            }[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_gateway_logs_trace_by_trace_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly trace_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Trace"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_gateway_messages: {
        readonly parameters: {
            readonly query?: {
                readonly channel_id?: string;
                readonly cursor?: string;
                readonly limit?: number;
                readonly q?: string;
                readonly sender?: string;
                readonly since?: string;
                readonly until?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["TracedMessage"][];
                            readonly next_cursor: string | null;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_gateway_minutes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Minute"][];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_gateway_nodes: {
        readonly parameters: {
            readonly query?: {
                readonly node_type?: "gateway" | "worker" | "channel";
                readonly status?: "online" | "busy" | "idle" | "offline" | "draining";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Node"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_gateway_queue_status: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["QueueStatus"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_gateway_stats: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly dedupe: {
                                readonly count: number;
                            };
                            readonly deliveries: {
                                readonly by_status: {
                                    readonly [key: string]: number;
                                };
                                readonly count: number;
                            };
                            readonly dropped: {
                                readonly [key: string]: number;
                            };
                            readonly events: {
                                readonly count: number;
                                readonly dropped: number;
                            };
                            readonly filter: {
                                readonly rules: number;
                                readonly skipped_timeouts: number;
                            };
                            readonly mode: string;
                            readonly queue: components["schemas"]["QueueCounts"];
                            readonly rate_limited: number;
                            /** Format: date-time */
                            readonly started_at: string;
                            readonly storage: {
                                readonly enabled: boolean;
                                readonly path_name: string;
                                readonly size_bytes: number;
                            };
                            readonly worker: {
                                readonly active: number;
                                readonly errors: number;
                                readonly processed: number;
                                /** @enum {string} */
                                readonly state: "running" | "stopped";
                            };
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_gateway_worker_start: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly started: boolean;
                            /** @enum {string} */
                            readonly state: "running";
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_gateway_worker_stop: {
        readonly parameters: {
            readonly query?: {
                readonly force?: boolean;
            };
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly force?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly graceful: boolean;
                            readonly remaining: number;
                            /** @enum {string} */
                            readonly state: "stopped";
                            readonly stopped: boolean;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_heartbeat: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Heartbeat"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_heartbeat: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly content_file?: string;
                    readonly enabled?: boolean;
                    readonly interval_minutes?: number;
                    readonly target_session_id?: string | null;
                    readonly targets?: readonly string[];
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Heartbeat"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_heartbeat_content: {
        readonly parameters: {
            readonly query?: {
                readonly file?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["HeartbeatContent"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_heartbeat_content: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly content: string;
                    readonly file?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly etag: string;
                            readonly file: string;
                            readonly size: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_heartbeat_run: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default false */
                    readonly wait?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Run"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description Taken in, and not done yet. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["RunStarted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_imA_groups: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["ImaGroup"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_imA_link_session: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly imA_id: string;
                    /** @enum {string} */
                    readonly imA_type?: "private" | "group" | "imA_private" | "imA_group";
                    readonly name?: string;
                    readonly session_id?: string;
                    /** @enum {string} */
                    readonly type?: "private" | "group" | "imA_private" | "imA_group";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly exists: boolean;
                            readonly session: components["schemas"]["Session"];
                            readonly session_id: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_imA_messages_by_imA_type_by_imA_id: {
        readonly parameters: {
            readonly query?: {
                readonly after?: string;
                readonly before?: string;
                readonly limit?: number;
                readonly offset?: number;
                readonly order?: "asc" | "desc";
            };
            readonly header?: never;
            readonly path: {
                readonly imA_id: string;
                readonly imA_type: "private" | "group" | "imA_private" | "imA_group";
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly imA_id: string;
                            /** @enum {string} */
                            readonly imA_type: "private" | "group";
                            readonly items: readonly components["schemas"]["Message"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly session_id: string | null;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_imA_messages_by_imA_type_by_imA_id: {
        readonly parameters: {
            readonly query?: {
                readonly delete_session?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly imA_id: string;
                readonly imA_type: "private" | "group" | "imA_private" | "imA_group";
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly deleted: number;
                            readonly session_deleted: boolean;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_imA_sessions: {
        readonly parameters: {
            readonly query?: {
                readonly archived?: "true" | "false" | "all";
                readonly limit?: number;
                readonly offset?: number;
                readonly type?: "private" | "group";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["ImaSession"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_imA_sessions_by_session_id_send: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default [] */
                    readonly at_user_ids?: readonly string[];
                    /** @default [] */
                    readonly attachments?: readonly {
                        readonly mime_type?: string;
                        readonly name?: string;
                        /** @enum {string} */
                        readonly type: "image" | "audio" | "video" | "file" | "sticker";
                        /** Format: uri */
                        readonly url: string;
                    }[];
                    /**
                     * @description At most 32,000 characters
                     * @default
                     */
                    readonly content?: string;
                    readonly reply_to?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly blocked: boolean;
                            readonly delivery: {
                                readonly id: string;
                                /** @enum {string} */
                                readonly status: "pending" | "delivered" | "expired";
                            } | null;
                            readonly message: null | components["schemas"]["Message"];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description Taken in, and not done yet. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly blocked: boolean;
                            readonly delivery: {
                                readonly id: string;
                                /** @enum {string} */
                                readonly status: "pending" | "delivered" | "expired";
                            } | null;
                            readonly message: null | components["schemas"]["Message"];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_imA_sessions_by_session_id_sync: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default 100 */
                    readonly count?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly added: number;
                            readonly filtered: number;
                            readonly message_count: number;
                            readonly skipped: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_imA_users: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["ImaUser"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_jobs: {
        readonly parameters: {
            readonly query?: {
                readonly kind?: string;
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly status?: "waiting" | "running" | "done" | "dead" | "canceled";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Job"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_jobs_by_job_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["JobDetail"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_jobs_by_job_id_cancel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": Record<string, never>;
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Job"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_jobs_by_job_id_retry: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default false */
                    readonly confirm?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Job"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_knowledge: {
        readonly parameters: {
            readonly query?: {
                readonly base_id?: string;
                readonly index_status?: "pending" | "indexing" | "indexed" | "failed" | "stale";
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at";
                readonly tag?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["ListedDocument"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_knowledge: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default default */
                    readonly base_id?: string;
                    readonly content: string;
                    /** @default {} */
                    readonly metadata?: {
                        readonly [key: string]: unknown;
                    };
                    /** @default manual */
                    readonly source?: string;
                    /** @default [] */
                    readonly tags?: readonly string[];
                    readonly title: string;
                    readonly wait_index?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Document"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_knowledge_by_doc_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly doc_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Document"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_knowledge_by_doc_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly doc_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly base_id?: string;
                    readonly content?: string;
                    readonly metadata?: {
                        readonly [key: string]: unknown;
                    };
                    readonly source?: string;
                    readonly tags?: readonly string[];
                    readonly title?: string;
                    readonly wait_index?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Document"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_knowledge_by_doc_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly doc_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_knowledge_by_doc_id_index: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly doc_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly chunks: number;
                            readonly id: string;
                            readonly index_model: string | null;
                            /** @enum {string} */
                            readonly index_status: "pending" | "indexing" | "indexed" | "failed" | "stale";
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_knowledge_by_doc_id_passages: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly doc_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly doc_id: string;
                            readonly items: readonly {
                                readonly chunk: string;
                                readonly chunk_id: string;
                                readonly chunk_index: number;
                                readonly heading: string;
                            }[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_knowledge_batch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly base_id?: string;
                    readonly documents: readonly unknown[];
                    readonly exported_at?: unknown;
                    readonly total?: unknown;
                    readonly type?: unknown;
                    readonly version?: unknown;
                };
                readonly "multipart/form-data": {
                    /** Format: binary */
                    readonly file: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly errors: readonly {
                                readonly detail?: {
                                    readonly chinese?: string;
                                    readonly key: string;
                                    readonly params?: {
                                        readonly [key: string]: string | number | boolean;
                                    };
                                };
                                readonly error: string;
                                readonly index: number;
                                readonly title: string;
                            }[];
                            readonly failed: number;
                            readonly imported: number;
                            readonly items: readonly {
                                readonly id: string;
                                readonly index: number;
                                readonly title: string;
                            }[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_knowledge_batch_delete: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly doc_ids: readonly string[];
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly deleted: number;
                            readonly errors: readonly {
                                readonly detail?: {
                                    readonly chinese?: string;
                                    readonly key: string;
                                    readonly params?: {
                                        readonly [key: string]: string | number | boolean;
                                    };
                                };
                                readonly error: string;
                                readonly id: string;
                                readonly index: number;
                            }[];
                            readonly failed: number;
                            readonly ids: readonly string[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_knowledge_export: {
        readonly parameters: {
            readonly query?: {
                readonly base_id?: string;
                readonly download?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["KnowledgeExport"];
                        readonly message: string;
                        /** @enum {boolean} */
                        readonly success: true;
                    } | components["schemas"]["KnowledgeExport"];
                };
            };
        };
    };
    readonly post_knowledge_files: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "multipart/form-data": {
                    readonly base_id?: string;
                    /** @description A file, or several: text, Markdown, HTML, PDF, DOCX, XLSX, CSV, EPUB, or a ZIP of such */
                    readonly file?: unknown;
                    /** @description Separated by commas */
                    readonly tags?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly failed: readonly {
                                readonly detail?: {
                                    readonly chinese?: string;
                                    readonly key: string;
                                    readonly params?: {
                                        readonly [key: string]: string | number | boolean;
                                    };
                                };
                                readonly error: string;
                                readonly name: string;
                            }[];
                            readonly items: readonly {
                                readonly job_id: string;
                                readonly name: string;
                            }[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_knowledge_pages: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default default */
                    readonly base_id?: string;
                    /** @default [] */
                    readonly tags?: readonly string[];
                    /** Format: uri */
                    readonly url: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly failed: readonly {
                                readonly detail?: {
                                    readonly chinese?: string;
                                    readonly key: string;
                                    readonly params?: {
                                        readonly [key: string]: string | number | boolean;
                                    };
                                };
                                readonly error: string;
                                readonly name: string;
                            }[];
                            readonly items: readonly {
                                readonly job_id: string;
                                readonly name: string;
                            }[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_knowledge_preview: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly query: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly citations: readonly components["schemas"]["KnowledgeHit"][];
                            readonly text: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_knowledge_rebuild: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default true */
                    readonly wait?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly failed: number;
                            readonly rebuilt_chunks: number;
                            readonly rebuilt_documents: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description Taken in, and not done yet. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            /** @enum {string} */
                            readonly state: "running";
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_knowledge_search: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly base_id?: string;
                    readonly doc_ids?: readonly string[];
                    /** @default 0 */
                    readonly min_score?: number;
                    /**
                     * @default hybrid
                     * @enum {string}
                     */
                    readonly mode?: "hybrid" | "vector" | "text";
                    readonly query: string;
                    readonly tags?: readonly string[];
                    /** @default 5 */
                    readonly top_k?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly embedding_local: boolean;
                            readonly items: readonly components["schemas"]["KnowledgeHit"][];
                            readonly limit: number;
                            /** @enum {string} */
                            readonly mode: "hybrid" | "vector" | "text";
                            readonly offset: number;
                            readonly total: number;
                            readonly warning_details?: readonly ({
                                readonly chinese?: string;
                                readonly key: string;
                                readonly params?: {
                                    readonly [key: string]: string | number | boolean;
                                };
                            } | null)[];
                            readonly warnings?: readonly string[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_knowledge_stats: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly bases: {
                                readonly [key: string]: number;
                            };
                            readonly embedding: {
                                /** @enum {string} */
                                readonly compared_by: "index" | "each";
                                readonly compared_detail: string;
                                readonly compared_told?: {
                                    readonly chinese?: string;
                                    readonly key: string;
                                    readonly params?: {
                                        readonly [key: string]: string | number | boolean;
                                    };
                                } | null;
                                readonly dimensions: number;
                                readonly local: boolean;
                                readonly model: string;
                                readonly model_id: string | null;
                            };
                            readonly failed: number;
                            readonly indexed: number;
                            readonly indexing: number;
                            readonly pending: number;
                            readonly rebuild: {
                                readonly done: number;
                                readonly running: boolean;
                                /** Format: date-time */
                                readonly started_at: string | null;
                                readonly total: number;
                            };
                            readonly stale: number;
                            readonly total_chars: number;
                            readonly total_chunks: number;
                            readonly total_documents: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_login: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly password: string;
                    readonly username: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SignedIn"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_login_tokens: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["LoginToken"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_login_tokens: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default 30 */
                    readonly expires_days?: number;
                    /** @description Who holds it; a label */
                    readonly username?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["NewLoginToken"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_login_tokens_by_token_hash: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly token_hash: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_logout: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly revoked: boolean;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_logs: {
        readonly parameters: {
            readonly query?: {
                readonly level?: "all" | "debug" | "info" | "warning" | "error";
                readonly limit?: number;
                readonly min_level?: "debug" | "info" | "warning" | "error";
                readonly offset?: number;
                readonly q?: string;
                readonly since?: string;
                readonly source?: string;
                readonly trace_id?: string;
                readonly until?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["LogLine"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_logs: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default {} */
                    readonly context?: {
                        readonly [key: string]: unknown;
                    };
                    /**
                     * @default info
                     * @enum {string}
                     */
                    readonly level?: "debug" | "info" | "warning" | "error";
                    readonly message: string;
                    /** @default api */
                    readonly source?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["LogLine"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_logs: {
        readonly parameters: {
            readonly query?: {
                readonly before?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** Format: date-time */
                    readonly before?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly deleted: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_logs_cleanup: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default false */
                    readonly dry_run?: boolean;
                    /** @default 7 */
                    readonly older_than_days?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly files: readonly string[];
                            readonly freed_bytes: number;
                            readonly removed_files: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_logs_download: {
        readonly parameters: {
            readonly query?: {
                readonly level?: "all" | "debug" | "info" | "warning" | "error";
                readonly min_level?: "debug" | "info" | "warning" | "error";
                readonly q?: string;
                readonly since?: string;
                readonly source?: string;
                readonly trace_id?: string;
                readonly until?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/x-ndjson": string;
                };
            };
        };
    };
    readonly get_mcp_servers: {
        readonly parameters: {
            readonly query?: {
                readonly connection_state?: "connected" | "disconnected";
                readonly limit?: number;
                readonly offset?: number;
                readonly sort?: "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                readonly transport?: "stdio" | "streamable-http";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["McpServer"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_mcp_servers: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default [] */
                    readonly args?: readonly string[];
                    /** @default false */
                    readonly auto_connect?: boolean;
                    /** @default  */
                    readonly command?: string;
                    /** @default [] */
                    readonly confirm_tools?: readonly string[];
                    /** @default  */
                    readonly description?: string;
                    /** @default true */
                    readonly enabled?: boolean;
                    /** @default {} */
                    readonly env?: {
                        readonly [key: string]: string;
                    };
                    /** @default [] */
                    readonly env_names?: readonly string[];
                    /** @default {} */
                    readonly headers_env?: {
                        readonly [key: string]: string;
                    };
                    readonly id?: string;
                    readonly name: string;
                    readonly secrets?: {
                        readonly [key: string]: string | null;
                    };
                    /** @default 30 */
                    readonly timeout_s?: number;
                    /** @default [] */
                    readonly tool_allow?: readonly string[];
                    /** @default [] */
                    readonly tool_deny?: readonly string[];
                    /** @enum {string} */
                    readonly transport: "stdio" | "streamable-http";
                    /** @default [] */
                    readonly trusted_tools?: readonly string[];
                    /** @default  */
                    readonly url?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["McpServer"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_mcp_servers_by_server_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly server_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly args?: readonly string[];
                    readonly auto_connect?: boolean;
                    readonly command?: string;
                    readonly confirm_tools?: readonly string[];
                    readonly description?: string;
                    readonly enabled?: boolean;
                    readonly env?: {
                        readonly [key: string]: string;
                    };
                    readonly env_names?: readonly string[];
                    readonly headers_env?: {
                        readonly [key: string]: string;
                    };
                    readonly name?: string;
                    readonly secrets?: {
                        readonly [key: string]: string | null;
                    };
                    readonly timeout_s?: number;
                    readonly tool_allow?: readonly string[];
                    readonly tool_deny?: readonly string[];
                    /** @enum {string} */
                    readonly transport?: "stdio" | "streamable-http";
                    readonly trusted_tools?: readonly string[];
                    readonly url?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["McpServer"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_mcp_servers_by_server_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly server_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_mcp_servers_by_server_id_accept_tools: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly server_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly tools?: readonly string[];
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["McpServer"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_mcp_servers_by_server_id_call: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly server_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default {} */
                    readonly arguments?: {
                        readonly [key: string]: unknown;
                    };
                    /** @default false */
                    readonly confirm?: boolean;
                    readonly tool: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly duration_ms: number;
                            readonly result: unknown;
                            readonly tool: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_mcp_servers_by_server_id_connect: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly server_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["McpServer"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_mcp_servers_by_server_id_disconnect: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly server_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["McpServer"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_mcp_servers_by_server_id_sign_in: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly server_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly client?: {
                        readonly client_id: string;
                        readonly client_secret?: string;
                    };
                    readonly scope?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["McpSignIn"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_mcp_servers_by_server_id_sign_in: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly server_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["McpServer"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_mcp_servers_by_server_id_test: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly server_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["McpTrial"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_mcp_servers_by_server_id_tools: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly server_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["McpTool"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_mcp_servers_oauth_callback: {
        readonly parameters: {
            readonly query?: {
                readonly code?: string;
                readonly error?: string;
                readonly error_description?: string;
                readonly iss?: string;
                readonly state?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly get_mcp_service: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["McpService"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_memory: {
        readonly parameters: {
            readonly query?: {
                readonly character_id?: string | null;
                readonly character_name?: string;
                readonly kind?: "fact" | "preference" | "event" | "plan" | "relation" | "other";
                readonly limit?: number;
                readonly offset?: number;
                readonly priority?: "high" | "normal" | "low";
                readonly q?: string;
                readonly replaced?: boolean;
                readonly session_id?: string | null;
                readonly sort?: "created_at" | "-created_at" | "said_at" | "-said_at" | "updated_at" | "-updated_at";
                readonly tag?: string;
                readonly target_id?: string | null;
                readonly type?: "all" | "long" | "short";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Memory"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_memory: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default null */
                    readonly character_id?: string | null;
                    /** @default  */
                    readonly character_name?: string;
                    readonly content: string;
                    /** @default {} */
                    readonly emotion_impact?: {
                        readonly [key: string]: unknown;
                    };
                    /** @default 7 */
                    readonly expire_days?: number;
                    /** @default 5 */
                    readonly importance?: number;
                    /**
                     * @default other
                     * @enum {string}
                     */
                    readonly kind?: "fact" | "preference" | "event" | "plan" | "relation" | "other";
                    /**
                     * @default normal
                     * @enum {string}
                     */
                    readonly priority?: "high" | "normal" | "low";
                    readonly said_at?: string;
                    /** @default null */
                    readonly session_id?: string | null;
                    /**
                     * @default manual
                     * @enum {string}
                     */
                    readonly source?: "manual" | "ai" | "summary" | "tool" | "mcp" | "import";
                    /** @default  */
                    readonly summary?: string;
                    /** @default [] */
                    readonly tags?: readonly string[];
                    /** @default null */
                    readonly target_id?: string | null;
                    readonly title: string;
                    /**
                     * @default long
                     * @enum {string}
                     */
                    readonly type?: "long" | "short";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Memory"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_memory: {
        readonly parameters: {
            readonly query?: {
                readonly character_id?: string;
                readonly target_id?: string;
                readonly type?: "all" | "long" | "short";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly character_id?: string;
                    readonly target_id?: string;
                    /** @enum {string} */
                    readonly type?: "all" | "long" | "short";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly deleted: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_memory_by_memory_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly memory_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly character_id?: string | null;
                    readonly character_name?: string;
                    readonly content?: string;
                    readonly emotion_impact?: {
                        readonly [key: string]: unknown;
                    };
                    readonly expire_days?: number;
                    readonly importance?: number;
                    /** @enum {string} */
                    readonly kind?: "fact" | "preference" | "event" | "plan" | "relation" | "other";
                    /** @enum {string} */
                    readonly priority?: "high" | "normal" | "low";
                    readonly said_at?: string;
                    readonly session_id?: string | null;
                    /** @enum {string} */
                    readonly source?: "manual" | "ai" | "summary" | "tool" | "mcp" | "import";
                    readonly summary?: string;
                    readonly tags?: readonly string[];
                    readonly target_id?: string | null;
                    readonly title?: string;
                    /** @enum {string} */
                    readonly type?: "long" | "short";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Memory"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_memory_by_memory_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly memory_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_memory_batch_delete: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly ids: readonly string[];
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly deleted: number;
                            readonly errors: readonly {
                                readonly detail?: {
                                    readonly chinese?: string;
                                    readonly key: string;
                                    readonly params?: {
                                        readonly [key: string]: string | number | boolean;
                                    };
                                };
                                readonly error: string;
                                readonly id: string;
                                readonly index: number;
                            }[];
                            readonly failed: number;
                            readonly ids: readonly string[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_memory_export: {
        readonly parameters: {
            readonly query?: {
                readonly character_id?: string;
                readonly download?: boolean;
                readonly target_id?: string;
                readonly type?: "all" | "long" | "short";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["MemoryExport"];
                        readonly message: string;
                        /** @enum {boolean} */
                        readonly success: true;
                    } | components["schemas"]["MemoryExport"];
                };
            };
        };
    };
    readonly post_memory_import: {
        readonly parameters: {
            readonly query?: {
                readonly mode?: "merge" | "replace";
            };
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly exported_at?: unknown;
                    readonly items?: unknown;
                    readonly memories?: unknown;
                    /** @enum {string} */
                    readonly mode?: "merge" | "replace";
                    readonly total?: unknown;
                    readonly type?: unknown;
                    readonly version?: unknown;
                };
                readonly "multipart/form-data": {
                    /** Format: binary */
                    readonly file: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly errors: readonly {
                                readonly detail?: {
                                    readonly chinese?: string;
                                    readonly key: string;
                                    readonly params?: {
                                        readonly [key: string]: string | number | boolean;
                                    };
                                };
                                readonly error: string;
                                readonly index: number;
                            }[];
                            readonly failed: number;
                            readonly imported: number;
                            readonly items: readonly {
                                readonly id: string;
                                readonly index: number;
                            }[];
                            readonly skipped: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_memory_merge: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly content?: string;
                    readonly ids: readonly string[];
                    readonly title?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Memory"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_memory_people: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly {
                                readonly character_id: string | null;
                                readonly character_name: string;
                                readonly memories: number;
                                readonly target_id: string | null;
                            }[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_message_favorites: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["PlacedFavorite"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_message_filter: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["RuleListing"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_message_filter: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * @description strip removes the text, replace puts another in its place, recall blocks the message
                     * @default strip
                     * @enum {string}
                     */
                    readonly action?: "strip" | "replace" | "recall";
                    /** @description A channel id; empty or global: all channels */
                    readonly channel?: string;
                    /** @default true */
                    readonly enabled?: boolean;
                    /**
                     * @description Whose messages are filtered
                     * @default user
                     * @enum {string}
                     */
                    readonly filter_target?: "user" | "ai" | "both";
                    /** @description A word or a regular expression */
                    readonly pattern: string;
                    /**
                     * @description What stands there instead, when the action is replace
                     * @default
                     */
                    readonly replacement?: string;
                    readonly session_id?: string;
                    /** @enum {string} */
                    readonly session_scope?: "all" | "specific";
                    /**
                     * @default keyword
                     * @enum {string}
                     */
                    readonly type?: "keyword" | "regex";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["PlacedRule"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_message_filter_by_rule_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly rule_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["PlacedRule"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_message_filter_by_rule_id: {
        readonly parameters: {
            readonly query?: {
                /** @description A channel id; empty or global: all channels */
                readonly channel?: string;
                readonly session_id?: string;
            };
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly rule_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * @description strip removes the text, replace puts another in its place, recall blocks the message
                     * @enum {string}
                     */
                    readonly action?: "strip" | "replace" | "recall";
                    /** @description A channel id; empty or global: all channels */
                    readonly channel?: string;
                    readonly enabled?: boolean;
                    /**
                     * @description Whose messages are filtered
                     * @enum {string}
                     */
                    readonly filter_target?: "user" | "ai" | "both";
                    /** @description A word or a regular expression */
                    readonly pattern?: string;
                    /** @description What stands there instead, when the action is replace */
                    readonly replacement?: string;
                    readonly session_id?: string;
                    /** @enum {string} */
                    readonly session_scope?: "all" | "specific";
                    /** @enum {string} */
                    readonly type?: "keyword" | "regex";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["PlacedRule"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_message_filter_by_rule_id: {
        readonly parameters: {
            readonly query?: {
                /** @description A channel id; empty or global: all channels */
                readonly channel?: string;
                readonly session_id?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly rule_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly channel: string;
                            /** @enum {boolean} */
                            readonly deleted: true;
                            readonly id: string;
                            readonly session_id: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_message_filter_hits: {
        readonly parameters: {
            readonly query?: {
                /** @description Only messages that were blocked, or only others */
                readonly blocked?: boolean;
                readonly limit?: number;
                readonly offset?: number;
                /** @description The id of a rule that matched */
                readonly rule?: string;
                readonly session_id?: string;
                readonly since?: string;
                readonly until?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["FilterHit"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_message_filter_hits: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly removed: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_message_filter_import: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * @description strip removes the text, replace puts another in its place, recall blocks the message
                     * @default strip
                     * @enum {string}
                     */
                    readonly action?: "strip" | "replace" | "recall";
                    /** @description A channel id; empty or global: all channels */
                    readonly channel?: string;
                    /**
                     * @description Whose messages are filtered
                     * @default user
                     * @enum {string}
                     */
                    readonly filter_target?: "user" | "ai" | "both";
                    readonly keywords: readonly string[];
                    /**
                     * @description What stands there instead, when the action is replace
                     * @default
                     */
                    readonly replacement?: string;
                    readonly session_id?: string;
                    /** @enum {string} */
                    readonly session_scope?: "all" | "specific";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly imported: number;
                            readonly skipped: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_message_filter_test: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description A channel id; empty or global: all channels */
                    readonly channel?: string;
                    readonly rule?: {
                        /**
                         * @description strip removes the text, replace puts another in its place, recall blocks the message
                         * @default strip
                         * @enum {string}
                         */
                        readonly action?: "strip" | "replace" | "recall";
                        /** @description A word or a regular expression */
                        readonly pattern: string;
                        /**
                         * @description What stands there instead, when the action is replace
                         * @default
                         */
                        readonly replacement?: string;
                        /**
                         * @default keyword
                         * @enum {string}
                         */
                        readonly type?: "keyword" | "regex";
                    };
                    readonly session_id?: string;
                    /**
                     * @default user
                     * @enum {string}
                     */
                    readonly target?: "user" | "ai";
                    /** @description At most 32,000 characters */
                    readonly text: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["RuleTrial"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_message_filter_toggle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly enabled: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly enabled: boolean;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_messages: {
        readonly parameters: {
            readonly query?: {
                readonly archived?: "true" | "false" | "all";
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly rating?: "good" | "bad";
                readonly session_id?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["FoundMessage"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_nodes: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["SharedNode"][];
                            readonly self: string;
                            readonly shared: boolean;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_nodes_by_node_id_drain: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly node_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SharedNode"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_nodes_by_node_id_drain: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly node_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SharedNode"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_oauth_grants: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly sort?: "created_at" | "-created_at" | "name" | "-name" | "updated_at" | "-updated_at";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["OauthGrant"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_oauth_grants_by_grant_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly grant_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["OauthGrant"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_oauth_grants_by_grant_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly grant_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_openapi_json: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly get_person_links: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly sort?: "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["PersonLink"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_person_links: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                    readonly same_as: string;
                    readonly target_id: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["PersonLink"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_person_links_by_link_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly link_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["PersonLink"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_person_links_by_link_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly link_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly name?: string;
                    readonly same_as?: string;
                    readonly target_id?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["PersonLink"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_person_links_by_link_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly link_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_personality: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Personality"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_personality: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly alternate_greetings?: readonly string[];
                    readonly avatar?: string;
                    readonly basic_info?: string;
                    readonly card_extra?: {
                        readonly [key: string]: unknown;
                    };
                    /** @enum {string} */
                    readonly card_spec?: "native" | "v1" | "v2" | "v3";
                    readonly character_version?: string;
                    readonly creator?: string;
                    readonly creator_notes?: string;
                    readonly description?: string;
                    readonly example_dialogues?: string;
                    readonly extensions?: {
                        readonly [key: string]: unknown;
                    };
                    readonly favorite?: boolean;
                    readonly first_message?: string;
                    readonly initial_state?: {
                        readonly [key: string]: unknown;
                    };
                    readonly name?: string;
                    readonly personality?: string;
                    readonly portrait?: string;
                    readonly post_history_instructions?: string;
                    readonly preset_id?: string;
                    readonly response_format?: string;
                    readonly rules?: readonly string[];
                    readonly scenario?: string;
                    readonly system_prompt?: string;
                    /** @enum {string} */
                    readonly system_prompt_mode?: "auto" | "manual";
                    readonly tags?: readonly string[];
                    readonly world_book_ids?: readonly string[];
                } & {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Personality"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_personality_ai_generate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly description: string;
                    readonly language?: string;
                    readonly name?: string;
                    /** @default false */
                    readonly save?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly card: components["schemas"]["RoleCard"];
                            readonly saved: null | components["schemas"]["SavedCard"];
                            readonly usage: components["schemas"]["Usage"];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_personality_ai_generate_first_message: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly card?: {
                        readonly [key: string]: unknown;
                    };
                    readonly character_id?: string;
                    /** @default 1 */
                    readonly count?: number;
                    readonly preset_id?: string;
                    readonly style?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly alternatives: readonly string[];
                            readonly first_message: string;
                            readonly usage: components["schemas"]["Usage"];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_personality_ai_generate_state: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly card?: {
                        readonly [key: string]: unknown;
                    };
                    readonly character_id?: string;
                    readonly preset_id?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly state: components["schemas"]["GeneratedState"];
                            readonly usage: components["schemas"]["Usage"];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_personality_clean_unused_portraits: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default false */
                    readonly dry_run?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly files: readonly string[];
                            readonly freed_bytes: number;
                            readonly removed: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_personality_custom_presets: {
        readonly parameters: {
            readonly query?: {
                readonly favorite?: boolean;
                readonly ids?: string;
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly sort?: "created_at" | "-created_at" | "name" | "-name" | "updated_at" | "-updated_at";
                readonly tag?: string;
                readonly tags?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["ListedPreset"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_personality_custom_presets: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly alternate_greetings?: readonly string[];
                    readonly avatar?: string;
                    readonly basic_info?: string;
                    readonly card_extra?: {
                        readonly [key: string]: unknown;
                    };
                    /** @enum {string} */
                    readonly card_spec?: "native" | "v1" | "v2" | "v3";
                    readonly character_version?: string;
                    readonly creator?: string;
                    readonly creator_notes?: string;
                    readonly description?: string;
                    readonly example_dialogues?: string;
                    readonly extensions?: {
                        readonly [key: string]: unknown;
                    };
                    readonly favorite?: boolean;
                    readonly first_message?: string;
                    readonly id?: string;
                    readonly initial_state?: {
                        readonly [key: string]: unknown;
                    };
                    readonly name: string;
                    readonly personality?: string;
                    readonly portrait?: string;
                    readonly post_history_instructions?: string;
                    readonly response_format?: string;
                    readonly rules?: readonly string[];
                    readonly scenario?: string;
                    readonly system_prompt?: string;
                    /** @enum {string} */
                    readonly system_prompt_mode?: "auto" | "manual";
                    readonly tags?: readonly string[];
                    readonly world_book_ids?: readonly string[];
                } & {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Preset"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_personality_custom_presets_by_preset_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly preset_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Preset"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_personality_custom_presets_by_preset_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly preset_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly alternate_greetings?: readonly string[];
                    readonly avatar?: string;
                    readonly basic_info?: string;
                    readonly card_extra?: {
                        readonly [key: string]: unknown;
                    };
                    /** @enum {string} */
                    readonly card_spec?: "native" | "v1" | "v2" | "v3";
                    readonly character_version?: string;
                    readonly creator?: string;
                    readonly creator_notes?: string;
                    readonly description?: string;
                    readonly example_dialogues?: string;
                    readonly extensions?: {
                        readonly [key: string]: unknown;
                    };
                    readonly favorite?: boolean;
                    readonly first_message?: string;
                    readonly initial_state?: {
                        readonly [key: string]: unknown;
                    };
                    readonly name?: string;
                    readonly personality?: string;
                    readonly portrait?: string;
                    readonly post_history_instructions?: string;
                    readonly response_format?: string;
                    readonly rules?: readonly string[];
                    readonly scenario?: string;
                    readonly system_prompt?: string;
                    /** @enum {string} */
                    readonly system_prompt_mode?: "auto" | "manual";
                    readonly tags?: readonly string[];
                    readonly world_book_ids?: readonly string[];
                } & {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Preset"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_personality_custom_presets_by_preset_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly preset_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_personality_custom_presets_by_preset_id_upload_to_platform: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly preset_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly confirm?: boolean;
                    readonly platform?: string;
                    /**
                     * @default private
                     * @enum {string}
                     */
                    readonly visibility?: "private" | "public";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["PresetUpload"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_personality_export: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly card?: {
                        readonly [key: string]: unknown;
                    };
                    readonly character_id?: string;
                    /**
                     * @default zip
                     * @enum {string}
                     */
                    readonly format?: "zip" | "json_v2" | "json_v3" | "png";
                    /** @default true */
                    readonly include_world_book?: boolean;
                    readonly preset_id?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": string;
                    readonly "application/zip": string;
                    readonly "image/png": string;
                };
            };
        };
    };
    readonly get_personality_export_all: {
        readonly parameters: {
            readonly query?: {
                readonly download?: boolean;
                readonly format?: "zip" | "json";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": string;
                    readonly "application/zip": string;
                };
            };
        };
    };
    readonly post_personality_generate_portrait: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly card?: {
                        readonly [key: string]: unknown;
                    };
                    readonly character_id?: string;
                    readonly preset_id?: string;
                    readonly prompt?: string;
                    /**
                     * @default 1024x1024
                     * @enum {string}
                     */
                    readonly size?: "512x512" | "1024x1024" | "1024x1536";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly height: number;
                            readonly model: string;
                            readonly prompt: string;
                            readonly url: string;
                            readonly width: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_personality_import: {
        readonly parameters: {
            readonly query?: {
                readonly as?: "preset" | "character";
                readonly import_world_book?: boolean;
                readonly save?: boolean;
            };
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
                readonly "multipart/form-data": {
                    /** @enum {string} */
                    readonly as?: "preset" | "character";
                    /** @description The file */
                    readonly file: unknown;
                    readonly import_world_book?: boolean;
                    readonly save?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly card: components["schemas"]["RoleCard"];
                            readonly detected: {
                                /** @enum {string} */
                                readonly container: "json" | "zip" | "png" | "charx" | "bundle";
                                /** @enum {string} */
                                readonly spec: "native" | "v1" | "v2" | "v3";
                            };
                            readonly saved: null | components["schemas"]["SavedCard"];
                            readonly warning_details?: readonly ({
                                readonly chinese?: string;
                                readonly key: string;
                                readonly params?: {
                                    readonly [key: string]: string | number | boolean;
                                };
                            } | null)[];
                            readonly warnings: readonly string[];
                            readonly world_book_id: string | null;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_personality_import_all: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
                readonly "multipart/form-data": {
                    /** @description The file */
                    readonly file: unknown;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly errors: readonly components["schemas"]["CardImportError"][];
                            readonly failed: number;
                            readonly imported: number;
                            readonly items: readonly components["schemas"]["ImportedCard"][];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_personality_portrait: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly file_name: string;
                            readonly height: number;
                            readonly mime_type: string;
                            readonly size: number;
                            readonly url: string;
                            readonly width: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_personality_portrait: {
        readonly parameters: {
            readonly query?: {
                readonly url?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly url?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            /** @enum {boolean} */
                            readonly deleted: true;
                            readonly references_cleared: number;
                            readonly url: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_personality_presets: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["BuiltInPreset"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_personality_preview: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly alternate_greetings?: readonly string[];
                    readonly avatar?: string;
                    readonly basic_info?: string;
                    readonly card_extra?: {
                        readonly [key: string]: unknown;
                    };
                    /** @enum {string} */
                    readonly card_spec?: "native" | "v1" | "v2" | "v3";
                    readonly character_version?: string;
                    readonly creator?: string;
                    readonly creator_notes?: string;
                    readonly description?: string;
                    readonly example_dialogues?: string;
                    readonly extensions?: {
                        readonly [key: string]: unknown;
                    };
                    readonly favorite?: boolean;
                    readonly first_message?: string;
                    readonly initial_state?: {
                        readonly [key: string]: unknown;
                    };
                    readonly name?: string;
                    readonly personality?: string;
                    readonly portrait?: string;
                    readonly post_history_instructions?: string;
                    readonly preset_id?: string;
                    readonly response_format?: string;
                    readonly rules?: readonly string[];
                    readonly scenario?: string;
                    readonly system_prompt?: string;
                    /** @enum {string} */
                    readonly system_prompt_mode?: "auto" | "manual";
                    readonly tags?: readonly string[];
                    readonly world_book_ids?: readonly string[];
                } & {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly system_prompt: string;
                            readonly tokens: {
                                readonly [key: string]: number;
                            };
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_plugins: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Plugin"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_plugins_by_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @description Its settings; null takes one back to config.ini or its default */
                    readonly config?: {
                        readonly [key: string]: unknown;
                    };
                    /** @description Whether the plugin runs */
                    readonly enabled?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Plugin"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_prompts: {
        readonly parameters: {
            readonly query?: {
                readonly is_shared?: boolean;
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly sort?: "name" | "-name" | "updated_at" | "-updated_at" | "created_at" | "-created_at";
                readonly tags?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["ListedSavedPrompt"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_prompts: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly content: string;
                    readonly id?: string;
                    /** @default false */
                    readonly is_shared?: boolean;
                    readonly name: string;
                    /** @default [] */
                    readonly tags?: readonly string[];
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SavedPrompt"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_prompts_by_prompt_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly prompt_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SavedPrompt"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_prompts_by_prompt_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly prompt_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly content?: string;
                    readonly is_shared?: boolean;
                    readonly name?: string;
                    readonly tags?: readonly string[];
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SavedPrompt"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_prompts_by_prompt_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly prompt_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_public_by_public_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly public_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SharedSession"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_push_public_key: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly public_key: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_push_status: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly configured: boolean;
                            readonly public_key_configured: boolean;
                            readonly subscriptions: number;
                            readonly supported: boolean;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_push_subscribe: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default null */
                    readonly session_id?: string | null;
                    readonly subscription: {
                        /** Format: uri */
                        readonly endpoint: string;
                        readonly expiration_time?: number | null;
                        readonly expirationTime?: number | null;
                        readonly keys: {
                            readonly auth: string;
                            readonly p256dh: string;
                        };
                    };
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly created: boolean;
                            readonly id: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_push_subscriptions: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["PushSubscription"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_push_test: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default  */
                    readonly body?: string;
                    /** @default null */
                    readonly session_id?: string | null;
                    /** @default  */
                    readonly title?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly failed: number;
                            readonly removed: number;
                            readonly sent: number;
                            readonly skipped: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_push_unsubscribe: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly endpoint?: string;
                    readonly id?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly removed: boolean;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_runs: {
        readonly parameters: {
            readonly query?: {
                readonly before?: string;
                readonly kind?: "workflow" | "task" | "heartbeat";
                readonly limit?: number;
                readonly owner_id?: string;
                readonly status?: "queued" | "running" | "success" | "failed" | "canceled" | "timed_out";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly has_more: boolean;
                            readonly items: readonly components["schemas"]["Run"][];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_runs_by_run_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["RunDetail"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_runs_by_run_id_cancel: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly run_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": Record<string, never>;
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Run"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_schedules: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Schedule"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_schedules_by_schedule_id_run: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly schedule_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": Record<string, never>;
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly job_id: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_schedules_by_schedule_id_toggle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly schedule_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly enabled: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Schedule"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_session_folders: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["SessionFolder"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_session_folders: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly folder: string;
                    /** @description Its new name; empty: the conversations are in no folder any more */
                    readonly name: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly changed: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions: {
        readonly parameters: {
            readonly query?: {
                readonly archived?: "true" | "false" | "all";
                readonly channel_id?: string;
                readonly character_id?: string;
                readonly cursor?: string;
                readonly favorite?: boolean;
                readonly folder?: string;
                readonly limit?: number;
                readonly offset?: number;
                readonly pinned?: boolean;
                readonly q?: string;
                readonly tag?: string;
                readonly type?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["SessionItem"][];
                            readonly limit: number;
                            readonly next_cursor: string | null;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly character_id?: string | null;
                    readonly favorite?: boolean;
                    readonly first_message?: string;
                    readonly folder?: string;
                    /** @description It leaves nothing: gone when it is deleted, or an hour after the last word */
                    readonly is_temporary?: boolean;
                    readonly metadata?: {
                        readonly [key: string]: unknown;
                    };
                    readonly model_id?: string | null;
                    readonly name?: string;
                    readonly parameters?: {
                        /** @default null */
                        readonly max_tokens?: number | null;
                        /** @default null */
                        readonly temperature?: number | null;
                    };
                    readonly pinned?: boolean;
                    readonly scenario?: string;
                    readonly sender_avatar?: string;
                    readonly sender_name?: string;
                    readonly sender_portrait?: string;
                    /** @enum {string} */
                    readonly session_mode?: "character" | "plain";
                    readonly system_prompt?: string;
                    readonly tags?: readonly string[];
                    /** @enum {string} */
                    readonly type?: "web";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Session"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Session"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_sessions_by_session_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly archived?: boolean;
                    readonly auto_state_interval?: number | null;
                    readonly character_id?: string | null;
                    readonly disabled_prompt_keys?: readonly string[];
                    readonly favorite?: boolean;
                    readonly first_message?: string;
                    readonly folder?: string;
                    readonly is_public?: boolean;
                    /** @description False keeps a temporary conversation as any other */
                    readonly is_temporary?: boolean;
                    readonly metadata?: {
                        readonly [key: string]: unknown;
                    };
                    readonly model_id?: string | null;
                    readonly name?: string;
                    readonly parameters?: {
                        /** @default null */
                        readonly max_tokens?: number | null;
                        /** @default null */
                        readonly temperature?: number | null;
                    };
                    readonly pinned?: boolean;
                    readonly proactive_chat?: {
                        readonly enabled?: boolean;
                        readonly idle_minutes?: number;
                        readonly prompt?: string;
                    };
                    readonly scenario?: string;
                    readonly sender_avatar?: string;
                    readonly sender_name?: string;
                    readonly sender_portrait?: string;
                    /** @enum {string} */
                    readonly session_mode?: "character" | "plain";
                    readonly system_prompt?: string;
                    readonly tags?: readonly string[];
                    readonly tts_config?: {
                        readonly enabled?: boolean;
                        readonly speed?: number;
                        readonly voice?: string;
                    };
                    readonly type?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Session"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_sessions_by_session_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_ai_summary: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default 800 */
                    readonly max_chars?: number;
                    /** @default true */
                    readonly save_memories?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly saved_memories: readonly unknown[];
                            readonly summary: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_archive: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Session"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_ask_models: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default [] */
                    readonly attachments?: readonly {
                        readonly meta?: {
                            readonly [key: string]: unknown;
                        };
                        readonly mime_type?: string;
                        readonly name?: string;
                        readonly size?: number;
                        readonly source?: string;
                        /** @enum {string} */
                        readonly type: "image" | "audio" | "video" | "file" | "sticker";
                        /** Format: uri */
                        readonly url: string;
                    }[];
                    /**
                     * @description At most 32,000 characters
                     * @default
                     */
                    readonly content?: string;
                    readonly model_ids: readonly string[];
                    readonly reply_to?: string;
                    readonly temp_id?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["AskedModels"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_sessions_by_session_id_bind_character: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default false */
                    readonly add_first_message?: boolean;
                    readonly character_id: string | null;
                    readonly scenario?: string;
                    readonly sender_avatar?: string;
                    readonly sender_name?: string;
                    readonly sender_portrait?: string;
                    readonly system_prompt?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Session"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_branches: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Fork"][];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_branches_by_branch_id_show: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly branch_id: string;
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly removed_ids: readonly string[];
                            readonly shown_ids: readonly string[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_chat: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default [] */
                    readonly attachments?: readonly {
                        readonly meta?: {
                            readonly [key: string]: unknown;
                        };
                        readonly mime_type?: string;
                        readonly name?: string;
                        readonly size?: number;
                        readonly source?: string;
                        /** @enum {string} */
                        readonly type: "image" | "audio" | "video" | "file" | "sticker";
                        /** Format: uri */
                        readonly url: string;
                    }[];
                    /** @description At most 32,000 characters */
                    readonly content?: string;
                    /**
                     * @description The answer goes to the people of the channel too
                     * @default false
                     */
                    readonly deliver?: boolean;
                    /** @description At most 32,000 characters */
                    readonly message?: string;
                    readonly reply_to?: string;
                    readonly sender?: string;
                    readonly sender_id?: string;
                    readonly temp_id?: string;
                    /** @default true */
                    readonly wait?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["TurnResult"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description Taken in, and not done yet. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["StartedTurn"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_compress: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly keep_last?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly archived_message_count: number;
                            readonly compressed_count: number;
                            readonly summary: string;
                            readonly summary_message_id: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_continue: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * @description What is said goes to the people of the channel too
                     * @default false
                     */
                    readonly deliver?: boolean;
                    /** @default true */
                    readonly wait?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["TurnResult"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description Taken in, and not done yet. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly trace_id: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_custom_prompt: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly content: string;
                            readonly exists: boolean;
                            /** Format: date-time */
                            readonly updated_at: string | null;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_sessions_by_session_id_custom_prompt: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly content: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly content: string;
                            readonly exists: boolean;
                            /** Format: date-time */
                            readonly updated_at: string | null;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_sessions_by_session_id_custom_prompt: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly exists: boolean;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_debug: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly channel: {
                                readonly id: string;
                                readonly state: string;
                                readonly type: string;
                            } | null;
                            readonly counts: {
                                readonly archived: number;
                                readonly hidden: number;
                                readonly messages: number;
                            };
                            readonly in_memory: boolean;
                            readonly key: string;
                            readonly last_turn: {
                                readonly duration_ms: number | null;
                                readonly error: null | components["schemas"]["ToldFailure"];
                                readonly model_id: string | null;
                                readonly trace_id: string;
                                readonly usage: null | components["schemas"]["Usage"];
                            } | null;
                            readonly prompt_layers: readonly {
                                readonly chars: number;
                                readonly key: string;
                                readonly priority: number;
                                readonly source: string;
                                readonly text: string;
                            }[];
                            readonly queued_turns: number;
                            readonly running: readonly {
                                readonly stage: string;
                                /** Format: date-time */
                                readonly started_at: string;
                                readonly trace_id: string;
                            }[];
                            readonly session_id: string;
                            readonly state_scope: string;
                            readonly stored: boolean;
                            readonly subscribers: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_export: {
        readonly parameters: {
            readonly query?: {
                readonly download?: boolean;
                readonly format?: "json" | "markdown";
                readonly include_archive?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SessionPackage"];
                        readonly message: string;
                        /** @enum {boolean} */
                        readonly success: true;
                    } | components["schemas"]["SessionPackage"];
                    readonly "text/markdown": string;
                };
            };
        };
    };
    readonly post_sessions_by_session_id_fork: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default true */
                    readonly include_archive?: boolean;
                    readonly message_id?: string;
                    readonly name?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Session"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_give_back: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Session"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_greetings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly string[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_message_favorites: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["MessageFavorite"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_sessions_by_session_id_message_favorites: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly collection_id?: string;
                    readonly message_ids: readonly string[];
                    readonly title?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["MessageFavorite"] | components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_messages: {
        readonly parameters: {
            readonly query?: {
                readonly after?: string;
                readonly before?: string;
                readonly include_hidden?: boolean;
                readonly include_system?: boolean;
                readonly limit?: number;
                readonly offset?: number;
                readonly order?: "asc" | "desc";
                readonly q?: string;
                readonly role?: "user" | "assistant" | "system";
            };
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Message"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_messages: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default [] */
                    readonly attachments?: readonly {
                        readonly meta?: {
                            readonly [key: string]: unknown;
                        };
                        readonly mime_type?: string;
                        readonly name?: string;
                        readonly size?: number;
                        readonly source?: string;
                        /** @enum {string} */
                        readonly type: "image" | "audio" | "video" | "file" | "sticker";
                        /** Format: uri */
                        readonly url: string;
                    }[];
                    /**
                     * @description At most 32,000 characters
                     * @default
                     */
                    readonly content?: string;
                    /**
                     * @description Says it to the people of the channel, as the bot
                     * @default false
                     */
                    readonly deliver?: boolean;
                    /** @default false */
                    readonly hidden?: boolean;
                    readonly insert_index?: number;
                    /** @default {} */
                    readonly metadata?: {
                        readonly [key: string]: unknown;
                    };
                    readonly reply_to?: string;
                    /**
                     * @default user
                     * @enum {string}
                     */
                    readonly role?: "user" | "assistant" | "system";
                    readonly sender?: string;
                    readonly sender_id?: string;
                    readonly temp_id?: string;
                    /** Format: date-time */
                    readonly timestamp?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["StoredMessage"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description Taken in, and not done yet. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["StoredMessage"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_sessions_by_session_id_messages: {
        readonly parameters: {
            readonly query?: {
                readonly include_archive?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly deleted: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_sessions_by_session_id_messages_by_message_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly message_id: string;
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @description The change stands at the end; the message as it was and what follows it become a branch */
                    readonly as_branch?: boolean;
                    readonly attachments?: readonly {
                        readonly meta?: {
                            readonly [key: string]: unknown;
                        };
                        readonly mime_type?: string;
                        readonly name?: string;
                        readonly size?: number;
                        readonly source?: string;
                        /** @enum {string} */
                        readonly type: "image" | "audio" | "video" | "file" | "sticker";
                        /** Format: uri */
                        readonly url: string;
                    }[];
                    /** @description At most 32,000 characters */
                    readonly content?: string;
                    readonly hidden?: boolean;
                    readonly metadata?: {
                        readonly [key: string]: unknown;
                    };
                    /** @enum {string} */
                    readonly role?: "user" | "assistant" | "system";
                    readonly sender?: string;
                    /** Format: date-time */
                    readonly timestamp?: string;
                    readonly truncate_after?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly blocked: boolean;
                            readonly filtered: boolean;
                            readonly message: components["schemas"]["Message"];
                            readonly removed_count: number;
                            readonly removed_ids: readonly string[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_sessions_by_session_id_messages_by_message_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly message_id: string;
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            /** @enum {boolean} */
                            readonly deleted: true;
                            readonly id: string;
                            readonly message_count: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_messages_by_message_id_answers: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly message_id: string;
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Answer"][];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_sessions_by_session_id_messages_by_message_id_rating: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly message_id: string;
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @enum {string|null} */
                    readonly rating: "good" | "bad" | null;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Message"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_public: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default 30 */
                    readonly expires_days?: number;
                    /** @default true */
                    readonly include_character?: boolean;
                    /** @default true */
                    readonly include_files?: boolean;
                    /** @default true */
                    readonly include_names?: boolean;
                    /** @default true */
                    readonly include_user_messages?: boolean;
                    /** @default null */
                    readonly message_end?: number | null;
                    /** @default null */
                    readonly message_start?: number | null;
                    readonly password?: string | null;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Publication"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_sessions_by_session_id_public: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Unpublished"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_public_preview: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default 30 */
                    readonly expires_days?: number;
                    /** @default true */
                    readonly include_character?: boolean;
                    /** @default true */
                    readonly include_files?: boolean;
                    /** @default true */
                    readonly include_names?: boolean;
                    /** @default true */
                    readonly include_user_messages?: boolean;
                    /** @default null */
                    readonly message_end?: number | null;
                    /** @default null */
                    readonly message_start?: number | null;
                    readonly password?: string | null;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SharePreview"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_public_status: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Publication"] | components["schemas"]["Unpublished"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_regenerate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * @description The new answer goes to the people of the channel too
                     * @default false
                     */
                    readonly deliver?: boolean;
                    readonly message_id?: string;
                    /** @description The model that answers this once, in place of the conversation's */
                    readonly model_id?: string;
                    /** @default true */
                    readonly wait?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly blocked: boolean;
                            readonly filtered: boolean;
                            readonly removed_ids: readonly string[];
                            readonly replies: readonly components["schemas"]["Message"][];
                            readonly stopped: boolean;
                            readonly trace_id: string;
                            readonly usage: components["schemas"]["TurnUsage"];
                            readonly user_message: null | components["schemas"]["Message"];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description Taken in, and not done yet. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly removed_ids: readonly string[];
                            readonly trace_id: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_restore: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Session"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_restore_from_archive: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly count?: number;
                    readonly turns?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly archive_messages_remaining: number;
                            readonly insert_index: number;
                            readonly messages_restored: number;
                            readonly turns_requested: number;
                            readonly turns_restored: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_runtime_timeline: {
        readonly parameters: {
            readonly query?: {
                readonly character_id?: string;
                readonly limit?: number;
                readonly offset?: number;
                readonly order?: "asc" | "desc";
            };
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["TimelineEntry"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_runtime_timeline: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly character_id?: string;
                    readonly message_id?: string;
                    readonly snapshot: {
                        readonly relationship?: {
                            readonly [key: string]: unknown;
                        };
                        readonly state?: {
                            readonly [key: string]: unknown;
                        };
                    };
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["TimelineEntry"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_take_over: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Session"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_todos: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Todos"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_workspace_files: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
                readonly path?: string;
                readonly q?: string;
                readonly recursive?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["WorkspaceItem"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly path: string;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_workspace_files_by_filename: {
        readonly parameters: {
            readonly query?: {
                readonly download?: boolean;
                readonly path?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly filename: string;
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "*/*": string;
                };
            };
        };
    };
    readonly delete_sessions_by_session_id_workspace_files_by_filename: {
        readonly parameters: {
            readonly query?: {
                readonly path?: string;
                readonly recursive?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly filename: string;
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorkspaceDeletion"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_workspace_files_by_filename_move: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly filename: string;
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly new_name?: string;
                    /** @default false */
                    readonly overwrite?: boolean;
                    readonly target: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorkspaceItem"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_workspace_files_by_filename_move_to_shared: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly filename: string;
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default false */
                    readonly overwrite?: boolean;
                    /** @default  */
                    readonly target?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorkspaceItem"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_by_session_id_workspace_files_by_filename_preview: {
        readonly parameters: {
            readonly query?: {
                readonly max_chars?: number;
                readonly path?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly filename: string;
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["FilePreview"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_workspace_folders: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                    /** @default  */
                    readonly path?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorkspaceItem"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_sessions_by_session_id_workspace_upload: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "multipart/form-data": {
                    /** @description The files, 1 to 20 parts of this name */
                    readonly file?: unknown;
                    /** @description The folder; it is made where there is none */
                    readonly path?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorkspaceUpload"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_sessions_export: {
        readonly parameters: {
            readonly query?: {
                readonly archived?: "true" | "false" | "all";
                readonly download?: boolean;
                readonly format?: "json";
                readonly ids?: string;
                readonly include_archive?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SessionPackage"];
                        readonly message: string;
                        /** @enum {boolean} */
                        readonly success: true;
                    } | components["schemas"]["SessionPackage"];
                };
            };
        };
    };
    readonly post_sessions_import: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
                readonly "multipart/form-data": {
                    /** Format: binary */
                    readonly file: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly errors: readonly components["schemas"]["BatchError"][];
                            readonly failed: number;
                            readonly filtered_messages: number;
                            readonly imported: number;
                            readonly items: readonly {
                                readonly id: string;
                                readonly index: number;
                                readonly left_out?: readonly string[];
                                readonly name: string;
                                readonly source_id: string | null;
                            }[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_settings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly _meta: {
                                readonly definitions: readonly components["schemas"]["SettingDefinition"][];
                                readonly restart_required: readonly string[];
                                readonly revision: number;
                                readonly sources: {
                                    readonly [key: string]: "file" | "env" | "default";
                                };
                            };
                            readonly revision: number;
                        } & {
                            readonly [key: string]: unknown;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_settings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly _meta: {
                                readonly definitions: readonly components["schemas"]["SettingDefinition"][];
                                readonly restart_required: readonly string[];
                                readonly revision: number;
                                readonly sources: {
                                    readonly [key: string]: "file" | "env" | "default";
                                };
                            };
                            readonly revision: number;
                        } & {
                            readonly [key: string]: unknown;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_skills: {
        readonly parameters: {
            readonly query?: {
                readonly enabled?: boolean;
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly sort?: "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Skill"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_skills: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default [] */
                    readonly aliases?: readonly string[];
                    /** @default  */
                    readonly description?: string;
                    /** @default true */
                    readonly enabled?: boolean;
                    readonly id?: string;
                    /**
                     * @default {
                     *       "type": "prompt"
                     *     }
                     */
                    readonly implementation?: {
                        /** @enum {string} */
                        readonly type: "prompt" | "http" | "static";
                    } & {
                        readonly [key: string]: unknown;
                    };
                    readonly name: string;
                    /** @default {} */
                    readonly parameters?: {
                        readonly [key: string]: unknown;
                    };
                    readonly skill_md?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["NewSkill"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_skills_by_skill_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly skill_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly aliases?: readonly string[];
                    readonly description?: string;
                    readonly enabled?: boolean;
                    readonly implementation?: {
                        /** @enum {string} */
                        readonly type: "prompt" | "http" | "static";
                    } & {
                        readonly [key: string]: unknown;
                    };
                    readonly name?: string;
                    readonly parameters?: {
                        readonly [key: string]: unknown;
                    };
                    readonly skill_md?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Skill"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_skills_by_skill_id: {
        readonly parameters: {
            readonly query?: {
                readonly delete_storage?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly skill_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            /** @enum {boolean} */
                            readonly deleted: true;
                            readonly id: string;
                            readonly storage_deleted: boolean;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_skills_by_skill_id_toggle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly skill_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly enabled: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Toggled"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_skills_storage: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["SkillStorage"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_skills_storage_by_skill_name: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly skill_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SkillContent"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_skills_storage_by_skill_name: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly skill_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            /** @enum {boolean} */
                            readonly deleted: true;
                            readonly files: number;
                            readonly name: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_skills_storage_by_skill_name_file_by_file_name: {
        readonly parameters: {
            readonly query?: {
                readonly download?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly file_name: string;
                readonly skill_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SkillFileContent"];
                        readonly message: string;
                        /** @enum {boolean} */
                        readonly success: true;
                    };
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly post_skills_storage_by_skill_name_file_by_file_name: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly file_name: string;
                readonly skill_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
                readonly "multipart/form-data": {
                    readonly content?: string;
                    /**
                     * @default utf8
                     * @enum {string}
                     */
                    readonly encoding?: "utf8" | "base64";
                    readonly file?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WrittenSkillFile"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_skills_storage_by_skill_name_reference_md: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly skill_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SkillText"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_skills_storage_by_skill_name_reference_md: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly skill_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly content: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly etag: string;
                            readonly size: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_skills_storage_by_skill_name_script_by_script_name: {
        readonly parameters: {
            readonly query?: {
                readonly download?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly script_name: string;
                readonly skill_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SkillFileContent"];
                        readonly message: string;
                        /** @enum {boolean} */
                        readonly success: true;
                    };
                    readonly "application/octet-stream": string;
                };
            };
        };
    };
    readonly post_skills_storage_by_skill_name_script_by_script_name: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly script_name: string;
                readonly skill_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
                readonly "multipart/form-data": {
                    readonly content?: string;
                    /**
                     * @default utf8
                     * @enum {string}
                     */
                    readonly encoding?: "utf8" | "base64";
                    readonly file?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WrittenSkillFile"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_skills_storage_by_skill_name_skill_md: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly skill_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["SkillText"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_skills_storage_by_skill_name_skill_md: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly skill_name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly content: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly etag: string;
                            readonly size: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_skills_upload_folder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "multipart/form-data": {
                    readonly folder_name: string;
                    /** @default false */
                    readonly overwrite?: boolean;
                    readonly skill_config?: string;
                    readonly skill_md?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly files_count: number;
                            readonly skill: components["schemas"]["Skill"];
                            readonly skipped: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_startup_status: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["StartStatus"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_stats: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly active_sessions: number;
                            readonly ai_calls: number;
                            /** @enum {string} */
                            readonly ai_service_status: "normal" | "degraded" | "not_configured";
                            readonly avg_response_time_ms: number;
                            readonly characters: number;
                            readonly documents: number;
                            readonly file_transfers: number;
                            readonly imA_connected: boolean;
                            readonly memories: number;
                            readonly platform_count: number;
                            readonly today_active_users: number;
                            readonly today_messages: number;
                            readonly token_usage: components["schemas"]["UsageSum"];
                            readonly total_messages: number;
                            readonly uptime_s: number;
                            readonly world_books: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_stats_messages: {
        readonly parameters: {
            readonly query?: {
                readonly period?: "day" | "week" | "month";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["MessageSeries"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_stats_platforms: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
                readonly period?: "day" | "week" | "month" | "all";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly {
                                readonly channel_id: string;
                                readonly name: string;
                                readonly value: number;
                            }[];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_stop: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly session_id: string;
                    readonly trace_id?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly stopped: boolean;
                            readonly trace_ids: readonly string[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_stt_transcribe: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "multipart/form-data": {
                    /** @description The recording, at most 25 MiB; the name `file` is taken too */
                    readonly audio?: unknown;
                    /** @default auto */
                    readonly language?: string;
                    /** @description Only this model */
                    readonly model_id?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Transcript"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_system_findings: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Finding"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_system_machine: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Machine"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_system_reload_config: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly changed: readonly string[];
                            readonly restart_required: readonly string[];
                            readonly warning_texts?: readonly {
                                readonly en: string;
                                readonly zh: string;
                            }[];
                            readonly warnings: readonly string[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_system_reload_core: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly packages?: readonly string[];
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly duration_ms: number;
                            readonly failed: readonly {
                                readonly detail?: {
                                    readonly chinese?: string;
                                    readonly key: string;
                                    readonly params?: {
                                        readonly [key: string]: string | number | boolean;
                                    };
                                };
                                readonly error: string;
                                readonly name: string;
                            }[];
                            readonly failed_count: number;
                            readonly reloaded: readonly string[];
                            readonly reloaded_count: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_task_center: {
        readonly parameters: {
            readonly query?: {
                readonly enabled?: boolean;
                readonly kind?: "custom" | "heartbeat" | "workflow";
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Task"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_task_center: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default {} */
                    readonly config?: {
                        readonly cron?: string;
                        readonly interval_minutes?: number;
                        readonly run_at?: string;
                        readonly timezone?: string;
                    };
                    /** @default  */
                    readonly description?: string;
                    /** @default true */
                    readonly enabled?: boolean;
                    readonly id?: string;
                    readonly name: string;
                    readonly prompt: string;
                    /** @default null */
                    readonly target_session_id?: string | null;
                    /**
                     * @default interval
                     * @enum {string}
                     */
                    readonly trigger?: "interval" | "cron" | "date";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Task"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_task_center_by_task_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly task_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly config?: {
                        readonly cron?: string;
                        readonly interval_minutes?: number;
                        readonly run_at?: string;
                        readonly timezone?: string;
                    };
                    readonly description?: string;
                    readonly enabled?: boolean;
                    readonly name?: string;
                    readonly prompt?: string;
                    readonly target_session_id?: string | null;
                    /** @enum {string} */
                    readonly trigger?: "interval" | "cron" | "date";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Task"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_task_center_by_task_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly task_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_task_center_by_task_id_run: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly task_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default false */
                    readonly wait?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Run"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description Taken in, and not done yet. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["RunStarted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_task_center_by_task_id_toggle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly task_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly enabled?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Task"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_tokens: {
        readonly parameters: {
            readonly query?: {
                readonly date_range?: "today" | "7d" | "30d" | "all";
                readonly end_date?: string;
                readonly start_date?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly active_sessions: number;
                            readonly avg_response_time_ms: number;
                            readonly avg_tokens_per_message: number;
                            readonly currency: string;
                            readonly estimated_cost: number;
                            readonly history: readonly components["schemas"]["UsageDay"][];
                            readonly message_count: number;
                            readonly models: readonly components["schemas"]["NamedUsage"][];
                            readonly month: components["schemas"]["UsageSum"];
                            readonly purposes: readonly components["schemas"]["NamedUsage"][];
                            readonly range: {
                                readonly end_date: string;
                                readonly start_date: string;
                                readonly timezone: string;
                            };
                            readonly recent_records: readonly components["schemas"]["UsageRow"][];
                            readonly sessions: readonly components["schemas"]["NamedUsage"][];
                            readonly today: components["schemas"]["UsageSum"];
                            readonly total: components["schemas"]["UsageSum"];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_tokens_export: {
        readonly parameters: {
            readonly query?: {
                readonly date_range?: "today" | "7d" | "30d" | "all";
                readonly end_date?: string;
                readonly format?: "csv" | "json";
                readonly start_date?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly records: readonly components["schemas"]["UsageRow"][];
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @enum {boolean} */
                        readonly success: true;
                    };
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly get_tokens_rankings: {
        readonly parameters: {
            readonly query?: {
                readonly date_range?: "today" | "7d" | "30d" | "all";
                readonly end_date?: string;
                readonly limit?: number;
                readonly metric?: "tokens" | "cost" | "requests";
                readonly start_date?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly models: readonly components["schemas"]["Ranked"][];
                            readonly purposes: readonly components["schemas"]["Ranked"][];
                            readonly sessions: readonly components["schemas"]["Ranked"][];
                            readonly users: readonly components["schemas"]["Ranked"][];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_tools: {
        readonly parameters: {
            readonly query?: {
                readonly enabled?: boolean;
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly sort?: "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                readonly source?: "custom" | "builtin" | "plugin";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Tool"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_tools: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly description: string;
                    /** @default true */
                    readonly enabled?: boolean;
                    readonly id?: string;
                    readonly implementation: {
                        readonly body?: string | {
                            readonly [key: string]: unknown;
                        };
                        /** @default  */
                        readonly error_message?: string;
                        /** @default {} */
                        readonly headers?: {
                            readonly [key: string]: string;
                        };
                        /** @default {} */
                        readonly headers_env?: {
                            readonly [key: string]: string;
                        };
                        /** @default 10000 */
                        readonly max_length?: number;
                        /**
                         * @default GET
                         * @enum {string}
                         */
                        readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                        /** @default {} */
                        readonly query?: {
                            readonly [key: string]: string;
                        };
                        /** @default  */
                        readonly response_path?: string;
                        /** @default 15 */
                        readonly timeout_s?: number;
                        /** @enum {string} */
                        readonly type: "http";
                        readonly url: string;
                    } | {
                        readonly result: string;
                        /** @enum {string} */
                        readonly type: "static";
                    } | {
                        /** @enum {string} */
                        readonly type: "builtin";
                    } | ({
                        /** @enum {string} */
                        readonly type: "http" | "static";
                    } & {
                        readonly [key: string]: unknown;
                    });
                    readonly name: string;
                    /**
                     * @default {
                     *       "type": "object",
                     *       "properties": {},
                     *       "additionalProperties": true
                     *     }
                     */
                    readonly parameters?: {
                        readonly [key: string]: unknown;
                    };
                    /** @default false */
                    readonly requires_confirm?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Tool"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_tools_by_tool_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly tool_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly description?: string;
                    readonly enabled?: boolean;
                    readonly implementation?: {
                        readonly body?: string | {
                            readonly [key: string]: unknown;
                        };
                        /** @default  */
                        readonly error_message?: string;
                        /** @default {} */
                        readonly headers?: {
                            readonly [key: string]: string;
                        };
                        /** @default {} */
                        readonly headers_env?: {
                            readonly [key: string]: string;
                        };
                        /** @default 10000 */
                        readonly max_length?: number;
                        /**
                         * @default GET
                         * @enum {string}
                         */
                        readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                        /** @default {} */
                        readonly query?: {
                            readonly [key: string]: string;
                        };
                        /** @default  */
                        readonly response_path?: string;
                        /** @default 15 */
                        readonly timeout_s?: number;
                        /** @enum {string} */
                        readonly type: "http";
                        readonly url: string;
                    } | {
                        readonly result: string;
                        /** @enum {string} */
                        readonly type: "static";
                    } | {
                        /** @enum {string} */
                        readonly type: "builtin";
                    } | ({
                        /** @enum {string} */
                        readonly type: "http" | "static";
                    } & {
                        readonly [key: string]: unknown;
                    });
                    readonly name?: string;
                    readonly parameters?: {
                        readonly [key: string]: unknown;
                    };
                    readonly requires_confirm?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Tool"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_tools_by_tool_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly tool_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_tools_by_tool_id_toggle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly tool_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly enabled: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Toggled"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_tools_try: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default {} */
                    readonly arguments?: {
                        readonly [key: string]: unknown;
                    };
                    readonly implementation: {
                        readonly body?: string | {
                            readonly [key: string]: unknown;
                        };
                        /** @default  */
                        readonly error_message?: string;
                        /** @default {} */
                        readonly headers?: {
                            readonly [key: string]: string;
                        };
                        /** @default {} */
                        readonly headers_env?: {
                            readonly [key: string]: string;
                        };
                        /** @default 10000 */
                        readonly max_length?: number;
                        /**
                         * @default GET
                         * @enum {string}
                         */
                        readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                        /** @default {} */
                        readonly query?: {
                            readonly [key: string]: string;
                        };
                        /** @default  */
                        readonly response_path?: string;
                        /** @default 15 */
                        readonly timeout_s?: number;
                        /** @enum {string} */
                        readonly type: "http";
                        readonly url: string;
                    } | {
                        readonly result: string;
                        /** @enum {string} */
                        readonly type: "static";
                    } | {
                        /** @enum {string} */
                        readonly type: "builtin";
                    } | ({
                        /** @enum {string} */
                        readonly type: "http" | "static";
                    } & {
                        readonly [key: string]: unknown;
                    });
                    /**
                     * @default {
                     *       "type": "object",
                     *       "properties": {},
                     *       "additionalProperties": true
                     *     }
                     */
                    readonly parameters?: {
                        readonly [key: string]: unknown;
                    };
                    /** @description The tool that it is a change of: what is masked stands for its secrets */
                    readonly tool_id?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["ToolTrial"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_tts_audio_by_filename: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly filename: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "audio/*": string;
                };
            };
        };
    };
    readonly post_tts_synthesize: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /**
                     * @default mp3
                     * @enum {string}
                     */
                    readonly format?: "mp3" | "wav" | "opus" | "aac" | "flac";
                    /** @description Only this model */
                    readonly model_id?: string;
                    /** @description Default: the model's */
                    readonly speed?: number;
                    /** @description Markdown is read as people would read it */
                    readonly text: string;
                    /** @description Default: the model's */
                    readonly voice?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Speech"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_upload: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "multipart/form-data": {
                    /** @description The file */
                    readonly file?: unknown;
                    /** @description A session it belongs to */
                    readonly session_id?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["UploadedFile"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_verify_token: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly token?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            /** Format: date-time */
                            readonly expires_at: string | null;
                            /** @enum {string} */
                            readonly kind: "login" | "api_key";
                            readonly scopes: readonly ("read" | "chat" | "write" | "admin" | "mcp")[];
                            readonly username: string;
                            readonly valid: boolean;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_web_agent_chat: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default false */
                    readonly allow_write?: boolean;
                    /** @default [] */
                    readonly history?: readonly {
                        /** @description At most 32,000 characters */
                        readonly content: string;
                        /** @enum {string} */
                        readonly role: "user" | "assistant";
                    }[];
                    readonly message: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly message: string;
                            readonly pending: {
                                readonly arguments: unknown;
                                readonly confirm_id: string;
                                /** Format: date-time */
                                readonly expires_at: string;
                                readonly tool: string;
                            } | null;
                            readonly usage: components["schemas"]["Usage"];
                            readonly used_tools: readonly {
                                readonly arguments: unknown;
                                readonly ok: boolean;
                                readonly tool: string;
                            }[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_web_agent_execute: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default {} */
                    readonly arguments?: {
                        readonly [key: string]: unknown;
                    };
                    /** @default false */
                    readonly confirm?: boolean;
                    readonly confirm_id?: string;
                    readonly tool: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly duration_ms: number;
                            readonly result: unknown;
                            readonly tool: string;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_web_agent_tools: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
                readonly permission?: "read" | "write";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["AgentTool"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_workflows: {
        readonly parameters: {
            readonly query?: {
                readonly enabled?: boolean;
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly sort?: "name" | "-name" | "updated_at" | "-updated_at" | "created_at" | "-created_at";
                readonly trigger?: "manual" | "cron" | "interval";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["Workflow"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_workflows: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default {} */
                    readonly config?: {
                        readonly cron?: string;
                        readonly interval_minutes?: number;
                        readonly max_iterations?: number;
                        readonly target_id?: string;
                        /** @enum {string} */
                        readonly target_type?: "none" | "session" | "imA_group" | "imA_private";
                        readonly timezone?: string;
                        readonly tools?: readonly string[];
                    };
                    readonly description: string;
                    /** @default true */
                    readonly enabled?: boolean;
                    readonly id?: string;
                    readonly name: string;
                    /** @default [] */
                    readonly steps?: readonly {
                        /** @enum {string} */
                        readonly action: "ai" | "tool" | "message" | "delay";
                        readonly condition?: {
                            /** @enum {string} */
                            readonly op: "eq" | "ne" | "contains" | "empty" | "not_empty" | "gt" | "lt";
                            readonly value?: string | number | boolean | null;
                            readonly var: string;
                        };
                        readonly id: string;
                        readonly input: {
                            readonly model_id?: string;
                            readonly prompt: string;
                            readonly system?: string;
                            readonly tools?: readonly string[];
                        } | {
                            /** @default {} */
                            readonly arguments?: {
                                readonly [key: string]: unknown;
                            };
                            readonly name: string;
                        } | {
                            readonly content: string;
                            readonly target_id?: string;
                            /** @enum {string} */
                            readonly target_type?: "none" | "session" | "imA_group" | "imA_private";
                        } | {
                            readonly seconds: number;
                        };
                        /**
                         * @default stop
                         * @enum {string}
                         */
                        readonly on_error?: "stop" | "continue";
                        readonly output_var?: string;
                        /** @default 0 */
                        readonly retry?: number;
                        /** @default 60 */
                        readonly timeout_s?: number;
                    }[];
                    /**
                     * @default manual
                     * @enum {string}
                     */
                    readonly trigger?: "manual" | "cron" | "interval";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Workflow"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_workflows_by_workflow_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly workflow_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Workflow"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_workflows_by_workflow_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly workflow_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly config?: {
                        readonly cron?: string;
                        readonly interval_minutes?: number;
                        readonly max_iterations?: number;
                        readonly target_id?: string;
                        /** @enum {string} */
                        readonly target_type?: "none" | "session" | "imA_group" | "imA_private";
                        readonly timezone?: string;
                        readonly tools?: readonly string[];
                    };
                    readonly description?: string;
                    readonly enabled?: boolean;
                    readonly name?: string;
                    readonly steps?: readonly {
                        /** @enum {string} */
                        readonly action: "ai" | "tool" | "message" | "delay";
                        readonly condition?: {
                            /** @enum {string} */
                            readonly op: "eq" | "ne" | "contains" | "empty" | "not_empty" | "gt" | "lt";
                            readonly value?: string | number | boolean | null;
                            readonly var: string;
                        };
                        readonly id: string;
                        readonly input: {
                            readonly model_id?: string;
                            readonly prompt: string;
                            readonly system?: string;
                            readonly tools?: readonly string[];
                        } | {
                            /** @default {} */
                            readonly arguments?: {
                                readonly [key: string]: unknown;
                            };
                            readonly name: string;
                        } | {
                            readonly content: string;
                            readonly target_id?: string;
                            /** @enum {string} */
                            readonly target_type?: "none" | "session" | "imA_group" | "imA_private";
                        } | {
                            readonly seconds: number;
                        };
                        /**
                         * @default stop
                         * @enum {string}
                         */
                        readonly on_error?: "stop" | "continue";
                        readonly output_var?: string;
                        /** @default 0 */
                        readonly retry?: number;
                        /** @default 60 */
                        readonly timeout_s?: number;
                    }[];
                    /** @enum {string} */
                    readonly trigger?: "manual" | "cron" | "interval";
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Workflow"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_workflows_by_workflow_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly workflow_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_workflows_by_workflow_id_execute: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly workflow_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @default  */
                    readonly content?: string;
                    /** @default {} */
                    readonly inputs?: {
                        readonly [key: string]: unknown;
                    };
                    /** @default false */
                    readonly wait?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Run"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
            /** @description Taken in, and not done yet. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["RunStarted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_workflows_by_workflow_id_toggle: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly workflow_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly enabled?: boolean;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly enabled: boolean;
                            readonly id: string;
                            /** Format: date-time */
                            readonly next_run: string | null;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_workspace_convert_pptx_to_pdf: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
                readonly "multipart/form-data": {
                    /** @description The presentation */
                    readonly file?: unknown;
                    readonly filename?: string;
                    /** @enum {string} */
                    readonly scope?: "private" | "shared";
                    readonly session_id?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/pdf": string;
                };
            };
        };
    };
    readonly get_workspace_download: {
        readonly parameters: {
            readonly query: {
                readonly download?: boolean;
                readonly path: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "*/*": string;
                };
            };
        };
    };
    readonly get_workspace_shared_files: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
                readonly path?: string;
                readonly q?: string;
                readonly recursive?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["WorkspaceItem"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly path: string;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_workspace_shared_files_by_filename: {
        readonly parameters: {
            readonly query?: {
                readonly download?: boolean;
                readonly path?: string;
                readonly preview?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly filename: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "*/*": string;
                };
            };
        };
    };
    readonly delete_workspace_shared_files_by_filename: {
        readonly parameters: {
            readonly query?: {
                readonly path?: string;
                readonly recursive?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly filename: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorkspaceDeletion"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_workspace_shared_files_by_filename_move: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly filename: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly new_name?: string;
                    /** @default false */
                    readonly overwrite?: boolean;
                    readonly target: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorkspaceItem"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_workspace_shared_files_by_filename_move_to_private: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly filename: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default false */
                    readonly overwrite?: boolean;
                    readonly session_id: string;
                    /** @default  */
                    readonly target?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorkspaceItem"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_workspace_shared_folders: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly name: string;
                    /** @default  */
                    readonly path?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorkspaceItem"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_workspace_shared_upload: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "multipart/form-data": {
                    /** @description The files, 1 to 20 parts of this name */
                    readonly file?: unknown;
                    /** @description The folder; it is made where there is none */
                    readonly path?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorkspaceUpload"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_workspace_trash: {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                readonly offset?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["DeletedFile"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_workspace_trash_by_trash_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly trash_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_workspace_trash_by_trash_id_restore: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly trash_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorkspaceItem"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_world_books: {
        readonly parameters: {
            readonly query?: {
                readonly character_id?: string;
                readonly character_ids?: string;
                readonly enabled?: boolean;
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly sort?: "updated_at" | "-updated_at" | "name" | "-name" | "created_at" | "-created_at";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["WorldBook"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_world_books: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default {} */
                    readonly card?: {
                        readonly [key: string]: unknown;
                    };
                    /** @default [] */
                    readonly character_ids?: readonly string[];
                    /** @default  */
                    readonly description?: string;
                    /** @default true */
                    readonly enabled?: boolean;
                    readonly entries?: readonly unknown[];
                    readonly id?: string;
                    readonly name: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorldBook"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_world_books_by_book_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly book_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorldBook"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_world_books_by_book_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly book_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly card?: {
                        readonly [key: string]: unknown;
                    };
                    readonly character_ids?: readonly string[];
                    readonly description?: string;
                    readonly enabled?: boolean;
                    readonly name?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorldBook"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_world_books_by_book_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly book_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_world_books_by_book_id_ai_generate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly book_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default 5 */
                    readonly count?: number;
                    /** @enum {string} */
                    readonly entry_type?: "relationship" | "rule" | "location" | "event" | "npc" | "faction" | "lore" | "style" | "secret";
                    readonly language?: string;
                    /** @default true */
                    readonly save?: boolean;
                    readonly topic: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly created: number;
                            readonly items: readonly (components["schemas"]["WorldBookEntry"] | {
                                readonly [key: string]: unknown;
                            })[];
                            readonly usage: components["schemas"]["Usage"];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_world_books_by_book_id_compare: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly book_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
                readonly "multipart/form-data": {
                    /** Format: binary */
                    readonly file: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly added: readonly {
                                readonly [key: string]: unknown;
                            }[];
                            readonly changed: readonly {
                                readonly entry_id: string;
                                readonly fields: readonly string[];
                                readonly name: string;
                                readonly patch: {
                                    readonly [key: string]: unknown;
                                };
                            }[];
                            readonly errors: readonly components["schemas"]["BatchError"][];
                            readonly removed: readonly {
                                readonly entry_id: string;
                                readonly name: string;
                            }[];
                            readonly same: number;
                            readonly warning_details?: readonly ({
                                readonly chinese?: string;
                                readonly key: string;
                                readonly params?: {
                                    readonly [key: string]: string | number | boolean;
                                };
                            } | null)[];
                            readonly warnings: readonly string[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_world_books_by_book_id_entries: {
        readonly parameters: {
            readonly query?: {
                readonly enabled?: boolean;
                readonly entry_type?: "relationship" | "rule" | "location" | "event" | "npc" | "faction" | "lore" | "style" | "secret";
                readonly limit?: number;
                readonly offset?: number;
                readonly q?: string;
                readonly sort?: "priority" | "-priority" | "insertion_order" | "-insertion_order" | "name" | "-name" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
            };
            readonly header?: never;
            readonly path: {
                readonly book_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly items: readonly components["schemas"]["WorldBookEntry"][];
                            readonly limit: number;
                            readonly offset: number;
                            readonly total: number;
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_world_books_by_book_id_entries: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly book_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default false */
                    readonly always_on?: boolean;
                    /** @default {} */
                    readonly card?: {
                        readonly [key: string]: unknown;
                    };
                    /** @default false */
                    readonly case_sensitive?: boolean;
                    readonly content: string;
                    /** @default 0 */
                    readonly cooldown_turns?: number;
                    /** @default true */
                    readonly enabled?: boolean;
                    /**
                     * @default lore
                     * @enum {string}
                     */
                    readonly entry_type?: "relationship" | "rule" | "location" | "event" | "npc" | "faction" | "lore" | "style" | "secret";
                    /** @default 100 */
                    readonly insertion_order?: number;
                    /** @default [] */
                    readonly keywords?: readonly string[];
                    /**
                     * @default any
                     * @enum {string}
                     */
                    readonly match_mode?: "any" | "all";
                    /** @default 0 */
                    readonly max_injections_per_session?: number;
                    /** @default  */
                    readonly name?: string;
                    /** @default 0 */
                    readonly priority?: number;
                    /** @default [] */
                    readonly secondary_keywords?: readonly string[];
                    /** @default false */
                    readonly selective?: boolean;
                    /**
                     * @default and_any
                     * @enum {string}
                     */
                    readonly selective_logic?: "and_any" | "and_all" | "not_any" | "not_all";
                    /** @default {} */
                    readonly state_triggers?: {
                        readonly [key: string]: readonly string[];
                    };
                    /** @default [] */
                    readonly tags?: readonly string[];
                    /**
                     * @default [
                     *       "user"
                     *     ]
                     */
                    readonly trigger_sources?: readonly ("user" | "assistant_recent" | "history" | "scene_state")[];
                    /** @default false */
                    readonly use_regex?: boolean;
                    /** @default 0 */
                    readonly weight?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorldBookEntry"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly put_world_books_by_book_id_entries_by_entry_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The revision that is changed, like `"3"`; another one is a conflict. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path: {
                readonly book_id: string;
                readonly entry_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly always_on?: boolean;
                    readonly card?: {
                        readonly [key: string]: unknown;
                    };
                    readonly case_sensitive?: boolean;
                    readonly content?: string;
                    readonly cooldown_turns?: number;
                    readonly enabled?: boolean;
                    /** @enum {string} */
                    readonly entry_type?: "relationship" | "rule" | "location" | "event" | "npc" | "faction" | "lore" | "style" | "secret";
                    readonly insertion_order?: number;
                    readonly keywords?: readonly string[];
                    /** @enum {string} */
                    readonly match_mode?: "any" | "all";
                    readonly max_injections_per_session?: number;
                    readonly name?: string;
                    readonly priority?: number;
                    readonly secondary_keywords?: readonly string[];
                    readonly selective?: boolean;
                    /** @enum {string} */
                    readonly selective_logic?: "and_any" | "and_all" | "not_any" | "not_all";
                    readonly state_triggers?: {
                        readonly [key: string]: readonly string[];
                    };
                    readonly tags?: readonly string[];
                    readonly trigger_sources?: readonly ("user" | "assistant_recent" | "history" | "scene_state")[];
                    readonly use_regex?: boolean;
                    readonly weight?: number;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorldBookEntry"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly delete_world_books_by_book_id_entries_by_entry_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly book_id: string;
                readonly entry_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["Deleted"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_world_books_by_book_id_entries_batch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path: {
                readonly book_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @default false */
                    readonly atomic?: boolean;
                    readonly entries: readonly unknown[];
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly created: number;
                            readonly errors: readonly components["schemas"]["BatchError"][];
                            readonly failed: number;
                            readonly items: readonly components["schemas"]["WorldBookEntry"][];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_world_books_export_all: {
        readonly parameters: {
            readonly query?: {
                readonly download?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly get_world_books_export_by_book_id: {
        readonly parameters: {
            readonly query?: {
                readonly download?: boolean;
                readonly format?: "native" | "v2" | "v3" | "worldinfo";
            };
            readonly header?: never;
            readonly path: {
                readonly book_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly post_world_books_import: {
        readonly parameters: {
            readonly query?: {
                readonly character_ids?: string;
                readonly name?: string;
            };
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
                readonly "multipart/form-data": {
                    /** Format: binary */
                    readonly file: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly book: components["schemas"]["WorldBook"];
                            readonly errors: readonly components["schemas"]["BatchError"][];
                            readonly failed_entries: number;
                            readonly imported_entries: number;
                            readonly warning_details?: readonly ({
                                readonly chinese?: string;
                                readonly key: string;
                                readonly params?: {
                                    readonly [key: string]: string | number | boolean;
                                };
                            } | null)[];
                            readonly warnings: readonly string[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_world_books_import_all: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    readonly [key: string]: unknown;
                };
                readonly "multipart/form-data": {
                    /** Format: binary */
                    readonly file: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: {
                            readonly errors: readonly {
                                readonly detail?: {
                                    readonly chinese?: string;
                                    readonly key: string;
                                    readonly params?: {
                                        readonly [key: string]: string | number | boolean;
                                    };
                                };
                                readonly error: string;
                                readonly index: number;
                                readonly name: string;
                            }[];
                            readonly failed: number;
                            readonly imported: number;
                            readonly items: readonly {
                                readonly id: string;
                                readonly index: number;
                                readonly name: string;
                            }[];
                        };
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly post_world_books_test_match: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same for a repeat of a request that may have arrived: it is done once. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly book_ids?: readonly string[];
                    readonly character_id?: string;
                    /** @default false */
                    readonly every_entry?: boolean;
                    readonly message: string;
                    readonly recent_messages?: readonly {
                        readonly content: string;
                        /** @enum {string} */
                        readonly role: "user" | "assistant";
                    }[];
                    readonly scene?: {
                        readonly [key: string]: string | number | boolean | readonly string[];
                    };
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description Success. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["WorldBookTestMatch"];
                        readonly message: string;
                        /** @constant */
                        readonly success: true;
                    };
                };
            };
        };
    };
    readonly get_root_assets_by_name: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "*/*": string;
                };
            };
        };
    };
    readonly get_root_authorize: {
        readonly parameters: {
            readonly query?: {
                readonly client_id?: string;
                readonly code_challenge?: string;
                readonly code_challenge_method?: string;
                readonly redirect_uri?: string;
                readonly resource?: string;
                readonly response_type?: string;
                readonly scope?: string;
                readonly state?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly post_root_authorize: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "*/*": unknown;
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly post_root_authorize_sign_in: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "*/*": unknown;
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly get_root_dashboard: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly get_root_manifest_webmanifest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/manifest+json": {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
    readonly get_root_metrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly get_root_public_by_public_id: {
        readonly parameters: {
            readonly query?: {
                readonly page?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly public_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly post_root_public_by_public_id: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly public_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "*/*": unknown;
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly post_root_qrcode_generate: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @description The same as text */
                    readonly data?: string;
                    /**
                     * @default png
                     * @enum {string}
                     */
                    readonly format?: "png" | "svg";
                    /**
                     * @default M
                     * @enum {string}
                     */
                    readonly level?: "L" | "M" | "Q" | "H";
                    /** @default 4 */
                    readonly margin?: number;
                    /** @default 256 */
                    readonly size?: number;
                    readonly text?: string;
                };
            };
        };
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["QrCode"];
                        readonly message: string;
                        /** @enum {boolean} */
                        readonly success: true;
                    };
                    readonly "image/png": string;
                    readonly "image/svg+xml": string;
                };
            };
        };
    };
    readonly get_root_qrcode_session_by_session_id: {
        readonly parameters: {
            readonly query?: {
                readonly format?: "png" | "svg";
                readonly level?: "L" | "M" | "Q" | "H";
                readonly margin?: number;
                readonly size?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly session_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly data: components["schemas"]["QrCode"];
                        readonly message: string;
                        /** @enum {boolean} */
                        readonly success: true;
                    };
                    readonly "image/png": string;
                    readonly "image/svg+xml": string;
                };
            };
        };
    };
    readonly post_root_register: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "*/*": unknown;
            };
        };
        readonly responses: {
            /** @description A refusal. */
            readonly "4XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OAuthFailure"] | components["schemas"]["Failure"];
                };
            };
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OAuthClient"];
                };
            };
        };
    };
    readonly post_root_revoke: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "*/*": unknown;
            };
        };
        readonly responses: {
            /** @description A refusal. */
            readonly "4XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OAuthFailure"] | components["schemas"]["Failure"];
                };
            };
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": Record<string, never>;
                };
            };
        };
    };
    readonly get_root_static_files_by_filename: {
        readonly parameters: {
            readonly query?: {
                readonly download?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly filename: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "*/*": string;
                };
            };
        };
    };
    readonly get_root_sw_js: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly "4XX": components["responses"]["Failure"];
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/javascript": string;
                };
            };
        };
    };
    readonly post_root_token: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "*/*": unknown;
            };
        };
        readonly responses: {
            /** @description A refusal. */
            readonly "4XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OAuthFailure"] | components["schemas"]["Failure"];
                };
            };
            readonly "5XX": components["responses"]["Failure"];
            /** @description The content itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OAuthTokens"];
                };
            };
        };
    };
}
