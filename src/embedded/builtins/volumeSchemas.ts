import type { OpenApiSchema } from '../server/resource.ts'
import { LocalObjectReference, ObjectFieldSelector, ResourceFieldSelector } from './containerSchemas.ts'
import { LabelSelector, ObjectMeta, quantity, quantityMap } from './metaSchemas.ts'
import {
  bool,
  define,
  int32,
  int64,
  json,
  list,
  type Properties,
  ref,
  str,
  stringMap,
  strings,
} from './schemaBuilder.ts'

/** Schemas of volumes and claims (Kubernetes API reference, core/v1 Volume and PersistentVolumeClaimSpec). */
const core = 'io.k8s.api.core.v1.'

const KeyToPath = define(
  `${core}KeyToPath`,
  'A key and the file that it becomes.',
  { key: str('The key.'), mode: int32('Mode of the file.'), path: str('Path of the file in the volume.') },
  { required: ['key', 'path'] },
)
const DownwardAPIVolumeFile = define(
  `${core}DownwardAPIVolumeFile`,
  'A field of the pod and the file that it becomes.',
  {
    fieldRef: ref(ObjectFieldSelector, 'A field of the pod.'),
    mode: int32('Mode of the file.'),
    path: str('Path of the file in the volume.'),
    resourceFieldRef: ref(ResourceFieldSelector, 'A resource of a container.'),
  },
  { required: ['path'] },
)
const defaultMode = int32('Mode of the files.', { default: 420 })
const ConfigMapVolumeSource = define(`${core}ConfigMapVolumeSource`, 'The keys of a ConfigMap as files.', {
  defaultMode,
  items: list(KeyToPath, 'Which keys; default is all.'),
  name: str('Name of the ConfigMap.', { default: '' }),
  optional: bool('The ConfigMap may be absent.'),
})
const SecretVolumeSource = define(`${core}SecretVolumeSource`, 'The keys of a Secret as files.', {
  defaultMode,
  items: list(KeyToPath, 'Which keys; default is all.'),
  optional: bool('The Secret may be absent.'),
  secretName: str('Name of the Secret.'),
})
const DownwardAPIVolumeSource = define(`${core}DownwardAPIVolumeSource`, 'Fields of the pod as files.', {
  defaultMode,
  items: list(DownwardAPIVolumeFile, 'The files.'),
})
const EmptyDirVolumeSource = define(`${core}EmptyDirVolumeSource`, 'A directory that lives as long as the pod.', {
  medium: str('Empty for disk, or Memory.'),
  sizeLimit: quantity('Most that may be stored.'),
})
export const HostPathVolumeSource = define(
  `${core}HostPathVolumeSource`,
  'A file or directory of the host.',
  {
    path: str('Path on the host.'),
    type: str('What must be there, such as Directory; empty: anything.', { default: '' }),
  },
  { required: ['path'] },
)
export const NFSVolumeSource = define(
  `${core}NFSVolumeSource`,
  'An NFS export.',
  { path: str('Exported path.'), readOnly: bool('Mount it read-only.'), server: str('Host of the server.') },
  { required: ['server', 'path'] },
)
const PersistentVolumeClaimVolumeSource = define(
  `${core}PersistentVolumeClaimVolumeSource`,
  'A claim in the same namespace.',
  { claimName: str('Name of the claim.'), readOnly: bool('Mount it read-only.') },
  { required: ['claimName'] },
)
const CSIVolumeSource = define(
  `${core}CSIVolumeSource`,
  'A volume of a storage driver that lives as long as the pod.',
  {
    driver: str('Name of the driver.'),
    fsType: str('File system type.'),
    nodePublishSecretRef: ref(LocalObjectReference, 'Secret handed to the driver.'),
    readOnly: bool('Mount it read-only.'),
    volumeAttributes: stringMap('Settings for the driver.'),
  },
  { required: ['driver'] },
)
const ImageVolumeSource = define(`${core}ImageVolumeSource`, 'The contents of an image.', {
  pullPolicy: str('Always, Never or IfNotPresent.'),
  reference: str('Image or artifact to mount.'),
})

const ServiceAccountTokenProjection = define(
  `${core}ServiceAccountTokenProjection`,
  'A token of the service account as a file.',
  {
    audience: str('Who the token is for.'),
    expirationSeconds: int64('Life of the token.', { default: 3600 }),
    path: str('Path of the file in the volume.'),
  },
  { required: ['path'] },
)
const projection = (kind: string): OpenApiSchema =>
  define(`${core}${kind}Projection`, `Keys of a ${kind} as files.`, {
    items: list(KeyToPath, 'Which keys; default is all.'),
    name: str(`Name of the ${kind}.`, { default: '' }),
    optional: bool(`The ${kind} may be absent.`),
  })
const DownwardAPIProjection = define(`${core}DownwardAPIProjection`, 'Fields of the pod as files.', {
  items: list(DownwardAPIVolumeFile, 'The files.'),
})
const ClusterTrustBundleProjection = define(
  `${core}ClusterTrustBundleProjection`,
  'Certificates of trust bundles as one file.',
  {
    labelSelector: ref(LabelSelector, 'Bundles of the signer to take.'),
    name: str('Name of one bundle.'),
    optional: bool('The bundles may be absent.'),
    path: str('Path of the file in the volume.'),
    signerName: str('Signer of the bundles.'),
  },
  { required: ['path'] },
)
const VolumeProjection = define(`${core}VolumeProjection`, 'One source of a projected volume.', {
  clusterTrustBundle: ref(ClusterTrustBundleProjection, 'Trust bundles.'),
  configMap: ref(projection('ConfigMap'), 'A ConfigMap.'),
  downwardAPI: ref(DownwardAPIProjection, 'Fields of the pod.'),
  podCertificate: json('A certificate of the pod.'),
  secret: ref(projection('Secret'), 'A Secret.'),
  serviceAccountToken: ref(ServiceAccountTokenProjection, 'A token of the service account.'),
})
const ProjectedVolumeSource = define(`${core}ProjectedVolumeSource`, 'Several sources in one directory.', {
  defaultMode,
  sources: list(VolumeProjection, 'The sources.'),
})

export const TypedLocalObjectReference = define(
  `${core}TypedLocalObjectReference`,
  'An object of any kind in the same namespace.',
  { apiGroup: str('API group; empty for core.'), kind: str('Kind of the object.'), name: str('Name of the object.') },
  { required: ['kind', 'name'], atomic: true },
)
const TypedObjectReference = define(
  `${core}TypedObjectReference`,
  'An object of any kind and namespace.',
  {
    apiGroup: str('API group; empty for core.'),
    kind: str('Kind of the object.'),
    name: str('Name of the object.'),
    namespace: str('Namespace of the object.'),
  },
  { required: ['kind', 'name'] },
)
const VolumeResourceRequirements = define(`${core}VolumeResourceRequirements`, 'Storage that a claim needs.', {
  limits: quantityMap('Most that may be given.'),
  requests: quantityMap('Least that must be given.'),
})
export const PersistentVolumeClaimSpec = define(`${core}PersistentVolumeClaimSpec`, 'What storage is wanted.', {
  accessModes: strings('How the volume is mounted, such as ReadWriteOnce.'),
  dataSource: ref(TypedLocalObjectReference, 'Snapshot or claim to start from.'),
  dataSourceRef: ref(TypedObjectReference, 'Object to start from.'),
  resources: ref(VolumeResourceRequirements, 'How much storage.'),
  selector: ref(LabelSelector, 'Volumes to choose from.'),
  storageClassName: str('Class of the storage.'),
  volumeAttributesClassName: str('Class of the attributes.'),
  volumeMode: str('Filesystem or Block.', { default: 'Filesystem' }),
  volumeName: str('Volume that is bound.'),
})
const PersistentVolumeClaimTemplate = define(
  `${core}PersistentVolumeClaimTemplate`,
  'A claim that is made for the pod.',
  {
    metadata: ref(ObjectMeta, 'Labels and annotations of the claim.'),
    spec: ref(PersistentVolumeClaimSpec, 'The claim.'),
  },
  { required: ['spec'] },
)
const EphemeralVolumeSource = define(`${core}EphemeralVolumeSource`, 'A claim that lives as long as the pod.', {
  volumeClaimTemplate: ref(PersistentVolumeClaimTemplate, 'The claim to make.'),
})

/** Sources of vendors and of the past: known by name and kept as they are. */
export const vendorSources: Properties = Object.fromEntries(
  [
    'awsElasticBlockStore',
    'azureDisk',
    'azureFile',
    'cephfs',
    'cinder',
    'fc',
    'flexVolume',
    'flocker',
    'gcePersistentDisk',
    'glusterfs',
    'iscsi',
    'photonPersistentDisk',
    'portworxVolume',
    'quobyte',
    'rbd',
    'scaleIO',
    'storageos',
    'vsphereVolume',
  ].map((name) => [name, json(`A volume of the kind ${name}.`)]),
)

export const Volume = define(
  `${core}Volume`,
  'A directory or device that containers of the pod can use.',
  {
    ...vendorSources,
    configMap: ref(ConfigMapVolumeSource, 'The keys of a ConfigMap.'),
    csi: ref(CSIVolumeSource, 'A volume of a storage driver.'),
    downwardAPI: ref(DownwardAPIVolumeSource, 'Fields of the pod.'),
    gitRepo: json('The contents of a git repository; not used any more.'),
    emptyDir: ref(EmptyDirVolumeSource, 'A directory that lives as long as the pod.'),
    ephemeral: ref(EphemeralVolumeSource, 'A claim that lives as long as the pod.'),
    hostPath: ref(HostPathVolumeSource, 'A file or directory of the host.'),
    image: ref(ImageVolumeSource, 'The contents of an image.'),
    name: str('Name, unique in the pod.'),
    nfs: ref(NFSVolumeSource, 'An NFS export.'),
    persistentVolumeClaim: ref(PersistentVolumeClaimVolumeSource, 'A claim.'),
    projected: ref(ProjectedVolumeSource, 'Several sources in one directory.'),
    secret: ref(SecretVolumeSource, 'The keys of a Secret.'),
  },
  { required: ['name'] },
)
