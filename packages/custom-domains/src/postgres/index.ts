// The door of the storage in PostgreSQL, for any number of instances.
export type { Connection, Database, SchemaOptions, Statement, Statements } from './database.ts'
export { type ImportOptions, importInto } from './import.ts'
export { lackedKey, type PostgresStorageOptions, postgresStorage, type SharedDomainStorage } from './storage.ts'
export { createTables, missingPrivileges, missingTables, type TableOptions } from './tables.ts'
