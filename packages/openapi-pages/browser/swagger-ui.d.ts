// Globals of Swagger UI's page: its bundle, and what json.js has.
declare const SwaggerUIBundle: (config: Record<string, unknown>) => unknown
declare const formatJson: typeof import('./json.js').formatJson
