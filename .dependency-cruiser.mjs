// The house of docs/architecture.md: dependencies point one way. Rooms may import each other's decisions, never controllers.
const foundations = ['ignition', 'schema', 'api', 'kube']
const rooms = [
  'templates',
  'render',
  'rollout',
  'drain',
  'certificates',
  'boot-images',
  'kubelet-config',
  'runtime-config',
  'image-sets',
  'os-builds',
  'forecast',
]
const processes = ['operator', 'server', 'host', 'daemon']
const order = [...foundations.map((room) => [room]), rooms, processes, ['embedded', 'console'], ['cli']]
const path = (names) => `^src/(${names.join('|')})/`

const layering = order.slice(0, -1).map((layer, index) => ({
  name: `${layer.length === 1 ? layer[0] : `${layer[0]}-layer`}-imports-only-left`,
  severity: 'error',
  from: { path: path(layer) },
  to: { path: path(order.slice(index + 1).flat()) },
}))

export default {
  forbidden: [
    ...layering,
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'rooms-do-not-import-controllers-of-others',
      severity: 'error',
      from: { path: '^src/(render|rollout|drain|forecast|host|daemon)/' },
      to: { path: '^src/(?:render|rollout|drain|forecast)/.*[cC]ontroller\\.ts$', pathNot: ['^src/$1/', '^src/kube/'] },
    },
    {
      name: 'values-do-no-io',
      severity: 'error',
      from: { path: '^src/(ignition|schema|api)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(node:)?(fs|net|http|https|http2|child_process|dns|tls)(/|$)' },
    },
    {
      name: 'product-does-not-import-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(test|bench)/|\\.test\\.ts$' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.json'] },
  },
}
