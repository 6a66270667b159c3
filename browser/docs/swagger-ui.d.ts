// What the scripts of the page use of Swagger UI's bundle, which is a global.
declare const SwaggerUIBundle: {
  (config: Record<string, unknown>): unknown
  presets: { apis: unknown }
}
