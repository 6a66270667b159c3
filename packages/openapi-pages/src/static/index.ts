// Pages of others with the same looks: static files with their versions, and the styles and fonts that all pages share.

export { lazy, memoize } from './memoize.ts'
export { type Resource, resource } from './resource.ts'
export { type Assets, assetsIn, loadAssets, serveSite, shared, siteAt } from './site.ts'
