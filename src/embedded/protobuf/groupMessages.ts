/** Of the smaller groups: coordination, events, rbac, storage, networking, admissionregistration (all v1). Written as messageTable.ts says. */
export const groupMessages = `
Lease: 1 metadata ObjectMeta, 2 spec LeaseSpec
LeaseSpec: 1 holderIdentity string?, 2 leaseDurationSeconds int32?, 3 acquireTime MicroTime, 4 renewTime MicroTime,
  5 leaseTransitions int32?, 6 strategy string?, 7 preferredHolder string?
EventsEvent: 1 metadata ObjectMeta, 2 eventTime MicroTime, 3 series EventsEventSeries, 4 reportingController string,
  5 reportingInstance string, 6 action string, 7 reason string, 8 regarding ObjectReference,
  9 related ObjectReference, 10 note string, 11 type string, 12 deprecatedSource EventSource,
  13 deprecatedFirstTimestamp Time, 14 deprecatedLastTimestamp Time, 15 deprecatedCount int32
EventsEventSeries: 1 count int32?, 2 lastObservedTime MicroTime
Role: 1 metadata ObjectMeta, 2 rules []PolicyRule
PolicyRule: 1 verbs []string, 2 apiGroups []string, 3 resources []string, 4 resourceNames []string,
  5 nonResourceURLs []string
RoleBinding: 1 metadata ObjectMeta, 2 subjects []Subject, 3 roleRef RoleRef
Subject: 1 kind string?, 2 apiGroup string, 3 name string?, 4 namespace string
RoleRef: 1 apiGroup string?, 2 kind string?, 3 name string?
ClusterRole: 1 metadata ObjectMeta, 2 rules []PolicyRule, 3 aggregationRule AggregationRule
AggregationRule: 1 clusterRoleSelectors []LabelSelector
ClusterRoleBinding: 1 metadata ObjectMeta, 2 subjects []Subject, 3 roleRef RoleRef
StorageClass: 1 metadata ObjectMeta, 2 provisioner string?, 3 parameters map[string], 4 reclaimPolicy string?,
  5 mountOptions []string, 6 allowVolumeExpansion bool?, 7 volumeBindingMode string?,
  8 allowedTopologies []TopologySelectorTerm
TopologySelectorTerm: 1 matchLabelExpressions []TopologySelectorLabelRequirement
TopologySelectorLabelRequirement: 1 key string?, 2 values []string
NetworkPolicy: 1 metadata ObjectMeta, 2 spec NetworkPolicySpec
NetworkPolicySpec: 1 podSelector LabelSelector, 2 ingress []NetworkPolicyIngressRule,
  3 egress []NetworkPolicyEgressRule, 4 policyTypes []string
NetworkPolicyIngressRule: 1 ports []NetworkPolicyPort, 2 from []NetworkPolicyPeer
NetworkPolicyPort: 1 protocol string?, 2 port IntOrString, 3 endPort int32?
NetworkPolicyPeer: 1 podSelector LabelSelector, 2 namespaceSelector LabelSelector, 3 ipBlock IPBlock
IPBlock: 1 cidr string?, 2 except []string
NetworkPolicyEgressRule: 1 ports []NetworkPolicyPort, 2 to []NetworkPolicyPeer
Ingress: 1 metadata ObjectMeta, 2 spec IngressSpec, 3 status IngressStatus
IngressSpec: 1 defaultBackend IngressBackend, 2 tls []IngressTLS, 3 rules []IngressRule, 4 ingressClassName string?
IngressBackend: 3 resource TypedLocalObjectReference, 4 service IngressServiceBackend
IngressServiceBackend: 1 name string?, 2 port ServiceBackendPort
ServiceBackendPort: 1 name string, 2 number int32
IngressTLS: 1 hosts []string, 2 secretName string
IngressRule: 1 host string, 2 - IngressRuleValue
IngressRuleValue: 1 http HTTPIngressRuleValue
HTTPIngressRuleValue: 1 paths []HTTPIngressPath
HTTPIngressPath: 1 path string, 2 backend IngressBackend, 3 pathType string?
IngressStatus: 1 loadBalancer IngressLoadBalancerStatus
IngressLoadBalancerStatus: 1 ingress []IngressLoadBalancerIngress
IngressLoadBalancerIngress: 1 ip string, 2 hostname string, 4 ports []IngressPortStatus
IngressPortStatus: 1 port int32?, 2 protocol string?, 3 error string?
ValidatingAdmissionPolicy: 1 metadata ObjectMeta, 2 spec ValidatingAdmissionPolicySpec,
  3 status ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicySpec: 1 paramKind ParamKind, 2 matchConstraints MatchResources, 3 validations []Validation,
  4 failurePolicy string?, 5 auditAnnotations []AuditAnnotation, 6 matchConditions []MatchCondition,
  7 variables []Variable
ParamKind: 1 apiVersion string, 2 kind string
MatchResources: 1 namespaceSelector LabelSelector, 2 objectSelector LabelSelector,
  3 resourceRules []NamedRuleWithOperations, 4 excludeResourceRules []NamedRuleWithOperations,
  7 matchPolicy string?
NamedRuleWithOperations: 1 resourceNames []string, 2 - RuleWithOperations
RuleWithOperations: 1 operations []string, 2 - Rule
Rule: 1 apiGroups []string, 2 apiVersions []string, 3 resources []string, 4 scope string?
Validation: 1 expression string?, 2 message string, 3 reason string?, 4 messageExpression string
AuditAnnotation: 1 key string?, 2 valueExpression string?
MatchCondition: 1 name string?, 2 expression string?
Variable: 1 name string?, 2 expression string?
ValidatingAdmissionPolicyStatus: 1 observedGeneration int64, 2 typeChecking TypeChecking, 3 conditions []Condition
TypeChecking: 1 expressionWarnings []ExpressionWarning
ExpressionWarning: 2 fieldRef string?, 3 warning string?
ValidatingAdmissionPolicyBinding: 1 metadata ObjectMeta, 2 spec ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingSpec: 1 policyName string, 2 paramRef ParamRef, 3 matchResources MatchResources,
  4 validationActions []string
ParamRef: 1 name string, 2 namespace string, 3 selector LabelSelector, 4 parameterNotFoundAction string?
`
