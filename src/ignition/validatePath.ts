import { cleanPath } from './goPath.ts'

/** Paths are absolute and written in their shortest form, so that one file has one name. */
export function pathFault(path: string): { readonly text: string; readonly hint: string } | undefined {
  if (path === '') return { text: 'path not specified', hint: 'expected an absolute path' }
  if (!path.startsWith('/')) return { text: 'path not absolute', hint: `found ${path}, expected a path from / on` }
  const clean = cleanPath(path)
  return clean === path ? undefined : { text: 'path is not fully simplified', hint: `found ${path}, expected ${clean}` }
}
