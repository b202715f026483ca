import type { ControllerCertificate, ControllerConfigSpec, ImageRegistryBundle } from '../../api/controllerConfig.ts'
import { certificatesIn } from '../pemCertificates.ts'
import {
  type BundleName,
  bundleNames,
  cloudCaBundlePath,
  kubeletCaPath,
  registryCaPath,
  userCaBundlePath,
} from './bundleCatalogue.ts'

/** The texts of a bundle by file; bundles of one file have it under the empty name. */
export type BundleFiles = ReadonlyMap<string, string>

export type BundleSpec = Pick<
  ControllerConfigSpec,
  | 'kubeAPIServerServingCAData'
  | 'cloudProviderCAData'
  | 'rootCAData'
  | 'additionalTrustBundle'
  | 'imageRegistryBundleData'
  | 'imageRegistryBundleUserData'
>

/** Members of the ControllerConfig, and their names in its status: the upper-case ones of the original. */
const singleFields = {
  kubeletClientCa: { field: 'kubeAPIServerServingCAData', shown: 'KubeAPIServerServingCAData', path: kubeletCaPath },
  cloudProviderCa: { field: 'cloudProviderCAData', shown: 'CloudProviderCAData', path: cloudCaBundlePath },
  rootCa: { field: 'rootCAData', shown: 'RootCAData', path: undefined },
  userCa: { field: 'additionalTrustBundle', shown: 'AdditionalTrustBundle', path: userCaBundlePath },
} as const

const registryFields = {
  imageRegistryCas: 'imageRegistryBundleData',
  imageRegistryUserCas: 'imageRegistryBundleUserData',
} as const

const isRegistry = (name: BundleName): name is keyof typeof registryFields => name in registryFields

/** The present texts of a bundle. */
export function readBundleField(name: BundleName, spec: Partial<BundleSpec>): BundleFiles {
  if (isRegistry(name)) return new Map((spec[registryFields[name]] ?? []).map(({ file, data }) => [file, decode(data)]))
  const data = spec[singleFields[name].field]
  return data ? new Map([['', decode(data)]]) : new Map()
}

/** The member of the spec that says the same. */
export function bundleToField(name: BundleName, files: BundleFiles): Partial<BundleSpec> {
  if (isRegistry(name)) {
    const entries: ImageRegistryBundle[] = [...files].map(([file, text]) => ({ file, data: encode(text) }))
    return { [registryFields[name]]: entries.sort((a, b) => (a.file < b.file ? -1 : 1)) }
  }
  return { [singleFields[name].field]: encode(files.get('') ?? '') }
}

/** Where a bundle's files are on a node; bundles that nodes do not have give none. */
export function bundlePaths(name: BundleName, files: BundleFiles): ReadonlyMap<string, string> {
  if (isRegistry(name)) {
    const usable = [...files].filter(([file]) => isRegistryFile(file))
    return new Map(usable.map(([file, text]) => [registryCaPath(file), text]))
  }
  const { path } = singleFields[name]
  const text = files.get('')
  return path === undefined || !text ? new Map() : new Map([[path, text]])
}

/** A name of a registry that is safe as the name of a directory. */
export const isRegistryFile = (file: string): boolean => /^[-._a-zA-Z0-9]{1,253}$/.test(file) && file !== '.'

/** `status.controllerCertificates`: every certificate of every bundle, as the original lists them. */
export function controllerCertificates(spec: Partial<BundleSpec>): readonly ControllerCertificate[] {
  return bundleNames.flatMap((name) =>
    [...readBundleField(name, spec)].flatMap(([file, text]) =>
      certificatesIn(text).certificates.map(({ subject, issuer, notBefore, notAfter }) => ({
        bundleFile: isRegistry(name) ? file : singleFields[name].shown,
        subject,
        signer: issuer,
        notBefore: seconds(notBefore),
        notAfter: seconds(notAfter),
      })),
    ),
  )
}

/** As the API writes times. */
const seconds = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z')

const decode = (base64: string): string => Buffer.from(base64, 'base64').toString('latin1')
const encode = (text: string): string => Buffer.from(text, 'latin1').toString('base64')
