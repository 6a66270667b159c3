// The parts of Swagger UI's bundle, a global, that the scripts of the page use.
declare const SwaggerUIBundle: {
  (config: Record<string, unknown>): unknown
  presets: { apis: unknown }
}
