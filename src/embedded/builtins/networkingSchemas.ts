import { intOrString, kindSchema, LabelSelector } from './metaSchemas.ts'
import { define, int32, list, ref, str, strings } from './schemaBuilder.ts'
import { TypedLocalObjectReference } from './volumeSchemas.ts'

/** Schemas of networking.k8s.io/v1. */
const networking = 'io.k8s.api.networking.v1.'
const NetworkPolicyPort = define(`${networking}NetworkPolicyPort`, 'A port.', {
  endPort: int32('Last port of a range.'),
  port: intOrString('Port number or name.'),
  protocol: str('TCP, UDP or SCTP.', { default: 'TCP' }),
})
const NetworkPolicyPeer = define(`${networking}NetworkPolicyPeer`, 'The other side.', {
  ipBlock: ref(
    define(
      `${networking}IPBlock`,
      'A range of addresses.',
      { cidr: str('The range.'), except: strings('Parts to leave out.') },
      { required: ['cidr'] },
    ),
    'A range of addresses.',
  ),
  namespaceSelector: ref(LabelSelector, 'Labels of the namespaces.'),
  podSelector: ref(LabelSelector, 'Labels of the pods.'),
})
export const NetworkPolicy = kindSchema(
  networking,
  'Traffic that pods may have.',
  {
    spec: ref(
      define(`${networking}NetworkPolicySpec`, 'The traffic.', {
        egress: list(
          define(`${networking}NetworkPolicyEgressRule`, 'Outgoing traffic.', {
            ports: list(NetworkPolicyPort, 'To which ports.'),
            to: list(NetworkPolicyPeer, 'To whom.'),
          }),
          'Outgoing traffic.',
        ),
        ingress: list(
          define(`${networking}NetworkPolicyIngressRule`, 'Incoming traffic.', {
            from: list(NetworkPolicyPeer, 'From whom.'),
            ports: list(NetworkPolicyPort, 'To which ports.'),
          }),
          'Incoming traffic.',
        ),
        podSelector: ref(LabelSelector, 'Pods that the policy is about.'),
        policyTypes: strings('Ingress, Egress or both.'),
      }),
      'The traffic.',
    ),
  },
  { group: 'networking.k8s.io', version: 'v1', kind: 'NetworkPolicy' },
)

const ServiceBackendPort = define(
  `${networking}ServiceBackendPort`,
  'A port of a Service, by one of the two.',
  { name: str('Name of the port.'), number: int32('Number of the port.') },
  { atomic: true },
)
const IngressBackend = define(`${networking}IngressBackend`, 'Where requests go: one of the two.', {
  resource: ref(TypedLocalObjectReference, 'An object in the namespace of the Ingress.'),
  service: ref(
    define(
      `${networking}IngressServiceBackend`,
      'A port of a Service.',
      { name: str('Name of the Service.'), port: ref(ServiceBackendPort, 'Port of the Service.') },
      { required: ['name'] },
    ),
    'A port of a Service.',
  ),
})
const HTTPIngressPath = define(
  `${networking}HTTPIngressPath`,
  'Requests with a path.',
  {
    backend: ref(IngressBackend, 'Where the requests go.'),
    path: str('The path, or how it begins.'),
    pathType: str('Exact, Prefix or ImplementationSpecific.'),
  },
  { required: ['backend', 'pathType'] },
)
const IngressRule = define(`${networking}IngressRule`, 'Requests for a host.', {
  host: str('Name of the host; every host when absent.'),
  http: ref(
    define(
      `${networking}HTTPIngressRuleValue`,
      'Requests by path.',
      { paths: list(HTTPIngressPath, 'The paths.') },
      { required: ['paths'] },
    ),
    'Requests by path.',
  ),
})
const IngressTLS = define(`${networking}IngressTLS`, 'Encryption of some hosts.', {
  hosts: strings('Names in the certificate.'),
  secretName: str('Secret that holds the certificate and its key.'),
})
const IngressPortStatus = define(
  `${networking}IngressPortStatus`,
  'State of a port.',
  { error: str('Why it does not work.'), port: int32('The port.'), protocol: str('TCP, UDP or SCTP.') },
  { required: ['port', 'protocol'] },
)
const IngressLoadBalancerIngress = define(`${networking}IngressLoadBalancerIngress`, 'An address.', {
  hostname: str('Name of the load balancer.'),
  ip: str('Address of the load balancer.'),
  ports: list(IngressPortStatus, 'Its ports.'),
})

/** Nothing routes it here: it is kept for the controller that does. */
export const Ingress = kindSchema(
  networking,
  'Requests from outside, and the Services that answer them.',
  {
    spec: ref(
      define(`${networking}IngressSpec`, 'The requests.', {
        defaultBackend: ref(IngressBackend, 'Where requests go that no rule is about.'),
        ingressClassName: str('Which controller does it.'),
        rules: list(IngressRule, 'Requests by host.'),
        tls: list(IngressTLS, 'Encryption.'),
      }),
      'The requests.',
    ),
    status: ref(
      define(`${networking}IngressStatus`, 'What is known.', {
        loadBalancer: ref(
          define(`${networking}IngressLoadBalancerStatus`, 'The load balancer.', {
            ingress: list(IngressLoadBalancerIngress, 'Its addresses.'),
          }),
          'The load balancer.',
        ),
      }),
      'What is known.',
    ),
  },
  { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress' },
)
