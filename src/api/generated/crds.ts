// Generated from src/api/crds by scripts/generate-types.ts. Do not edit.
import type { CustomResourceDefinition } from '../apiextensions.ts'

/** The CustomResourceDefinitions of our kinds, as applied to a cluster. */
export const customResourceDefinitions: readonly CustomResourceDefinition[] = [
 {
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {
   "name": "containerruntimeconfigs.machineconfiguration.openshift.io",
   "labels": {
    "openshift.io/operator-managed": ""
   }
  },
  "spec": {
   "group": "machineconfiguration.openshift.io",
   "names": {
    "kind": "ContainerRuntimeConfig",
    "listKind": "ContainerRuntimeConfigList",
    "plural": "containerruntimeconfigs",
    "singular": "containerruntimeconfig",
    "shortNames": [
     "ctrcfg"
    ]
   },
   "scope": "Cluster",
   "versions": [
    {
     "name": "v1",
     "served": true,
     "storage": true,
     "subresources": {
      "status": {}
     },
     "schema": {
      "openAPIV3Schema": {
       "description": "Container runtime settings for the pools that it selects.",
       "type": "object",
       "required": [
        "spec"
       ],
       "properties": {
        "apiVersion": {
         "type": "string"
        },
        "kind": {
         "type": "string"
        },
        "metadata": {
         "type": "object"
        },
        "spec": {
         "type": "object",
         "required": [
          "containerRuntimeConfig"
         ],
         "properties": {
          "machineConfigPoolSelector": {
           "type": "object",
           "x-kubernetes-map-type": "atomic",
           "properties": {
            "matchLabels": {
             "type": "object",
             "additionalProperties": {
              "type": "string"
             }
            },
            "matchExpressions": {
             "type": "array",
             "x-kubernetes-list-type": "atomic",
             "items": {
              "type": "object",
              "required": [
               "key",
               "operator"
              ],
              "properties": {
               "key": {
                "type": "string"
               },
               "operator": {
                "description": "In, NotIn, Exists or DoesNotExist.",
                "type": "string"
               },
               "values": {
                "type": "array",
                "x-kubernetes-list-type": "atomic",
                "items": {
                 "type": "string"
                }
               }
              }
             }
            }
           },
           "description": "Labels of the pools that get these settings; absent selects none."
          },
          "containerRuntimeConfig": {
           "type": "object",
           "properties": {
            "pidsLimit": {
             "type": "integer",
             "format": "int64"
            },
            "logLevel": {
             "description": "fatal, panic, error, warn, info or debug.",
             "type": "string"
            },
            "logSizeMax": {
             "anyOf": [
              {
               "type": "integer"
              },
              {
               "type": "string"
              }
             ],
             "x-kubernetes-int-or-string": true,
             "pattern": "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
             "description": "At least 8192 bytes; negative means without limit."
            },
            "overlaySize": {
             "anyOf": [
              {
               "type": "integer"
              },
              {
               "type": "string"
              }
             ],
             "x-kubernetes-int-or-string": true,
             "pattern": "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$"
            },
            "defaultRuntime": {
             "type": "string",
             "enum": [
              "crun",
              "runc"
             ]
            },
            "additionalLayerStores": {
             "type": "array",
             "minItems": 1,
             "maxItems": 5,
             "x-kubernetes-list-type": "atomic",
             "items": {
              "type": "object",
              "required": [
               "path"
              ],
              "properties": {
               "path": {
                "type": "string",
                "minLength": 1,
                "maxLength": 256,
                "x-kubernetes-validations": [
                 {
                  "rule": "self.matches('^/[a-zA-Z0-9/._-]+$')",
                  "message": "path must be absolute and contain only alphanumeric characters, '/', '.', '_', and '-'"
                 },
                 {
                  "rule": "!self.contains('//')",
                  "message": "path must not contain consecutive forward slashes"
                 }
                ]
               }
              }
             },
             "x-kubernetes-validations": [
              {
               "rule": "self.all(x, self.exists_one(y, x.path == y.path))",
               "message": "additionalLayerStores must not contain duplicate paths"
              }
             ]
            },
            "additionalImageStores": {
             "type": "array",
             "minItems": 1,
             "maxItems": 10,
             "x-kubernetes-list-type": "atomic",
             "items": {
              "type": "object",
              "required": [
               "path"
              ],
              "properties": {
               "path": {
                "type": "string",
                "minLength": 1,
                "maxLength": 256,
                "x-kubernetes-validations": [
                 {
                  "rule": "self.matches('^/[a-zA-Z0-9/._-]+$')",
                  "message": "path must be absolute and contain only alphanumeric characters, '/', '.', '_', and '-'"
                 },
                 {
                  "rule": "!self.contains('//')",
                  "message": "path must not contain consecutive forward slashes"
                 }
                ]
               }
              }
             },
             "x-kubernetes-validations": [
              {
               "rule": "self.all(x, self.exists_one(y, x.path == y.path))",
               "message": "additionalImageStores must not contain duplicate paths"
              }
             ]
            },
            "additionalArtifactStores": {
             "type": "array",
             "minItems": 1,
             "maxItems": 10,
             "x-kubernetes-list-type": "atomic",
             "items": {
              "type": "object",
              "required": [
               "path"
              ],
              "properties": {
               "path": {
                "type": "string",
                "minLength": 1,
                "maxLength": 256,
                "x-kubernetes-validations": [
                 {
                  "rule": "self.matches('^/[a-zA-Z0-9/._-]+$')",
                  "message": "path must be absolute and contain only alphanumeric characters, '/', '.', '_', and '-'"
                 },
                 {
                  "rule": "!self.contains('//')",
                  "message": "path must not contain consecutive forward slashes"
                 }
                ]
               }
              }
             },
             "x-kubernetes-validations": [
              {
               "rule": "self.all(x, self.exists_one(y, x.path == y.path))",
               "message": "additionalArtifactStores must not contain duplicate paths"
              }
             ]
            },
            "containerGomaxprocsBehavior": {
             "type": "string",
             "enum": [
              "Autosize",
              "Disabled"
             ]
            }
           }
          }
         }
        },
        "status": {
         "type": "object",
         "properties": {
          "observedGeneration": {
           "type": "integer",
           "format": "int64"
          },
          "conditions": {
           "type": "array",
           "x-kubernetes-list-type": "atomic",
           "items": {
            "type": "object",
            "properties": {
             "lastTransitionTime": {
              "type": "string",
              "format": "date-time",
              "nullable": true
             },
             "message": {
              "type": "string"
             },
             "reason": {
              "type": "string"
             },
             "status": {
              "description": "True, False or Unknown.",
              "type": "string"
             },
             "type": {
              "type": "string"
             }
            }
           }
          }
         }
        }
       }
      }
     }
    }
   ]
  }
 },
 {
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {
   "name": "controllerconfigs.machineconfiguration.openshift.io",
   "labels": {
    "openshift.io/operator-managed": ""
   }
  },
  "spec": {
   "group": "machineconfiguration.openshift.io",
   "names": {
    "kind": "ControllerConfig",
    "listKind": "ControllerConfigList",
    "plural": "controllerconfigs",
    "singular": "controllerconfig"
   },
   "scope": "Cluster",
   "versions": [
    {
     "name": "v1",
     "served": true,
     "storage": true,
     "subresources": {
      "status": {}
     },
     "schema": {
      "openAPIV3Schema": {
       "description": "The cluster's facts as the templates and the renderer need them; the operator writes the one object of this kind.",
       "type": "object",
       "required": [
        "spec"
       ],
       "properties": {
        "apiVersion": {
         "type": "string"
        },
        "kind": {
         "type": "string"
        },
        "metadata": {
         "type": "object"
        },
        "spec": {
         "type": "object",
         "required": [
          "additionalTrustBundle",
          "baseOSContainerImage",
          "cloudProviderCAData",
          "cloudProviderConfig",
          "clusterDNSIP",
          "dns",
          "images",
          "infra",
          "ipFamilies",
          "kubeAPIServerServingCAData",
          "network",
          "proxy",
          "releaseImage",
          "rootCAData"
         ],
         "properties": {
          "clusterDNSIP": {
           "type": "string"
          },
          "cloudProviderConfig": {
           "type": "string"
          },
          "platform": {
           "description": "Deprecated; infra.status.platformStatus.type counts.",
           "type": "string"
          },
          "etcdDiscoveryDomain": {
           "description": "Deprecated; infra.status.etcdDiscoveryDomain counts.",
           "type": "string"
          },
          "kubeAPIServerServingCAData": {
           "type": "string",
           "format": "byte"
          },
          "rootCAData": {
           "type": "string",
           "format": "byte"
          },
          "cloudProviderCAData": {
           "type": "string",
           "format": "byte",
           "nullable": true
          },
          "additionalTrustBundle": {
           "type": "string",
           "format": "byte",
           "nullable": true
          },
          "imageRegistryBundleUserData": {
           "type": "array",
           "x-kubernetes-list-type": "atomic",
           "items": {
            "type": "object",
            "required": [
             "data",
             "file"
            ],
            "properties": {
             "data": {
              "type": "string",
              "format": "byte"
             },
             "file": {
              "type": "string"
             }
            }
           }
          },
          "imageRegistryBundleData": {
           "type": "array",
           "x-kubernetes-list-type": "atomic",
           "items": {
            "type": "object",
            "required": [
             "data",
             "file"
            ],
            "properties": {
             "data": {
              "type": "string",
              "format": "byte"
             },
             "file": {
              "type": "string"
             }
            }
           }
          },
          "pullSecret": {
           "type": "object",
           "x-kubernetes-map-type": "atomic",
           "properties": {
            "apiVersion": {
             "type": "string"
            },
            "fieldPath": {
             "type": "string"
            },
            "kind": {
             "type": "string"
            },
            "name": {
             "type": "string"
            },
            "namespace": {
             "type": "string"
            },
            "resourceVersion": {
             "type": "string"
            },
            "uid": {
             "type": "string"
            }
           }
          },
          "internalRegistryPullSecret": {
           "type": "string",
           "format": "byte",
           "nullable": true
          },
          "images": {
           "description": "Image references for the templates, by name.",
           "type": "object",
           "additionalProperties": {
            "type": "string"
           }
          },
          "bgpVIPPeersJSON": {
           "type": "string",
           "minLength": 1,
           "maxLength": 65536
          },
          "baseOSContainerImage": {
           "description": "The OS image of every pool that has no other.",
           "type": "string"
          },
          "baseOSExtensionsContainerImage": {
           "type": "string"
          },
          "osImageURL": {
           "description": "The OS image in the older format.",
           "type": "string"
          },
          "releaseImage": {
           "type": "string"
          },
          "proxy": {
           "type": "object",
           "nullable": true,
           "properties": {
            "httpProxy": {
             "type": "string"
            },
            "httpsProxy": {
             "type": "string"
            },
            "noProxy": {
             "type": "string"
            }
           }
          },
          "infra": {
           "description": "A copy of the cluster's Infrastructure object.",
           "type": "object",
           "nullable": true,
           "x-kubernetes-embedded-resource": true,
           "required": [
            "spec"
           ],
           "properties": {
            "spec": {
             "type": "object",
             "x-kubernetes-preserve-unknown-fields": true,
             "properties": {
              "controlPlaneTopology": {
               "type": "string"
              }
             }
            },
            "status": {
             "type": "object",
             "x-kubernetes-preserve-unknown-fields": true,
             "properties": {
              "controlPlaneTopology": {
               "type": "string"
              }
             }
            }
           },
           "x-kubernetes-validations": [
            {
             "rule": "!has(self.spec.controlPlaneTopology) || self.spec.controlPlaneTopology == '' || !has(self.status) || !has(self.status.controlPlaneTopology) || self.spec.controlPlaneTopology == self.status.controlPlaneTopology || (self.status.controlPlaneTopology == 'SingleReplica' && self.spec.controlPlaneTopology == 'HighlyAvailable')",
             "message": "spec.controlPlaneTopology must match status.controlPlaneTopology or be set to HighlyAvailable when status.controlPlaneTopology is SingleReplica"
            }
           ]
          },
          "dns": {
           "description": "A copy of the cluster's DNS object.",
           "type": "object",
           "nullable": true,
           "x-kubernetes-embedded-resource": true,
           "required": [
            "spec"
           ],
           "properties": {
            "spec": {
             "type": "object",
             "x-kubernetes-preserve-unknown-fields": true
            },
            "status": {
             "type": "object",
             "x-kubernetes-preserve-unknown-fields": true
            }
           }
          },
          "ipFamilies": {
           "description": "IPv4, IPv6, DualStack or DualStackIPv6Primary.",
           "type": "string"
          },
          "networkType": {
           "type": "string"
          },
          "network": {
           "type": "object",
           "nullable": true,
           "required": [
            "mtuMigration"
           ],
           "properties": {
            "mtuMigration": {
             "type": "object",
             "nullable": true,
             "properties": {
              "network": {
               "type": "object",
               "properties": {
                "from": {
                 "type": "integer",
                 "format": "int32",
                 "minimum": 0
                },
                "to": {
                 "type": "integer",
                 "format": "int32",
                 "minimum": 0
                }
               }
              },
              "machine": {
               "type": "object",
               "properties": {
                "from": {
                 "type": "integer",
                 "format": "int32",
                 "minimum": 0
                },
                "to": {
                 "type": "integer",
                 "format": "int32",
                 "minimum": 0
                }
               }
              }
             }
            }
           }
          }
         }
        },
        "status": {
         "type": "object",
         "properties": {
          "observedGeneration": {
           "type": "integer",
           "format": "int64"
          },
          "conditions": {
           "type": "array",
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "type"
           ],
           "items": {
            "type": "object",
            "required": [
             "lastTransitionTime",
             "status",
             "type"
            ],
            "properties": {
             "lastTransitionTime": {
              "type": "string",
              "format": "date-time",
              "nullable": true
             },
             "message": {
              "type": "string"
             },
             "reason": {
              "type": "string"
             },
             "status": {
              "type": "string"
             },
             "type": {
              "type": "string"
             }
            }
           }
          },
          "controllerCertificates": {
           "type": "array",
           "x-kubernetes-list-type": "atomic",
           "items": {
            "type": "object",
            "required": [
             "bundleFile",
             "signer",
             "subject"
            ],
            "properties": {
             "bundleFile": {
              "type": "string"
             },
             "notAfter": {
              "type": "string",
              "format": "date-time",
              "nullable": true
             },
             "notBefore": {
              "type": "string",
              "format": "date-time",
              "nullable": true
             },
             "signer": {
              "type": "string"
             },
             "subject": {
              "type": "string"
             }
            }
           }
          }
         }
        }
       }
      }
     }
    }
   ]
  }
 },
 {
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {
   "name": "kubeletconfigs.machineconfiguration.openshift.io",
   "labels": {
    "openshift.io/operator-managed": ""
   }
  },
  "spec": {
   "group": "machineconfiguration.openshift.io",
   "names": {
    "kind": "KubeletConfig",
    "listKind": "KubeletConfigList",
    "plural": "kubeletconfigs",
    "singular": "kubeletconfig"
   },
   "scope": "Cluster",
   "versions": [
    {
     "name": "v1",
     "served": true,
     "storage": true,
     "subresources": {
      "status": {}
     },
     "schema": {
      "openAPIV3Schema": {
       "description": "Kubelet settings for the pools that it selects.",
       "type": "object",
       "required": [
        "spec"
       ],
       "properties": {
        "apiVersion": {
         "type": "string"
        },
        "kind": {
         "type": "string"
        },
        "metadata": {
         "type": "object"
        },
        "spec": {
         "type": "object",
         "properties": {
          "autoSizingReserved": {
           "description": "Whether the kubelet's reserved resources follow the node's size; absent means the platform's default.",
           "type": "boolean"
          },
          "logLevel": {
           "type": "integer",
           "format": "int32",
           "minimum": 0,
           "maximum": 10
          },
          "machineConfigPoolSelector": {
           "type": "object",
           "x-kubernetes-map-type": "atomic",
           "properties": {
            "matchLabels": {
             "type": "object",
             "additionalProperties": {
              "type": "string"
             }
            },
            "matchExpressions": {
             "type": "array",
             "x-kubernetes-list-type": "atomic",
             "items": {
              "type": "object",
              "required": [
               "key",
               "operator"
              ],
              "properties": {
               "key": {
                "type": "string"
               },
               "operator": {
                "description": "In, NotIn, Exists or DoesNotExist.",
                "type": "string"
               },
               "values": {
                "type": "array",
                "x-kubernetes-list-type": "atomic",
                "items": {
                 "type": "string"
                }
               }
              }
             }
            }
           },
           "description": "Labels of the pools that get these settings; absent selects none."
          },
          "kubeletConfig": {
           "description": "A subset of the kubelet's own KubeletConfiguration.",
           "type": "object",
           "x-kubernetes-preserve-unknown-fields": true
          },
          "tlsSecurityProfile": {
           "type": "object",
           "properties": {
            "type": {
             "type": "string",
             "enum": [
              "Old",
              "Intermediate",
              "Modern",
              "Custom"
             ]
            },
            "old": {
             "type": "object",
             "nullable": true
            },
            "intermediate": {
             "type": "object",
             "nullable": true
            },
            "modern": {
             "type": "object",
             "nullable": true
            },
            "custom": {
             "type": "object",
             "nullable": true,
             "properties": {
              "ciphers": {
               "description": "Names as OpenSSL writes them.",
               "type": "array",
               "x-kubernetes-list-type": "atomic",
               "items": {
                "type": "string"
               }
              },
              "minTLSVersion": {
               "type": "string",
               "enum": [
                "VersionTLS10",
                "VersionTLS11",
                "VersionTLS12",
                "VersionTLS13"
               ]
              },
              "groups": {
               "type": "array",
               "x-kubernetes-list-type": "set",
               "minItems": 1,
               "maxItems": 7,
               "items": {
                "type": "string",
                "enum": [
                 "X25519",
                 "secp256r1",
                 "secp384r1",
                 "secp521r1",
                 "X25519MLKEM768",
                 "SecP256r1MLKEM768",
                 "SecP384r1MLKEM1024"
                ]
               }
              }
             }
            }
           }
          },
          "systemGomaxprocsBehavior": {
           "type": "string",
           "enum": [
            "Autosize",
            "Disabled"
           ]
          }
         }
        },
        "status": {
         "type": "object",
         "properties": {
          "observedGeneration": {
           "type": "integer",
           "format": "int64"
          },
          "conditions": {
           "type": "array",
           "x-kubernetes-list-type": "atomic",
           "items": {
            "type": "object",
            "properties": {
             "lastTransitionTime": {
              "type": "string",
              "format": "date-time",
              "nullable": true
             },
             "message": {
              "type": "string"
             },
             "reason": {
              "type": "string"
             },
             "status": {
              "description": "True, False or Unknown.",
              "type": "string"
             },
             "type": {
              "type": "string"
             }
            }
           }
          }
         }
        }
       }
      }
     }
    }
   ]
  }
 },
 {
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {
   "name": "machineconfignodes.machineconfiguration.openshift.io",
   "labels": {
    "openshift.io/operator-managed": ""
   }
  },
  "spec": {
   "group": "machineconfiguration.openshift.io",
   "names": {
    "kind": "MachineConfigNode",
    "listKind": "MachineConfigNodeList",
    "plural": "machineconfignodes",
    "singular": "machineconfignode"
   },
   "scope": "Cluster",
   "versions": [
    {
     "name": "v1",
     "served": true,
     "storage": true,
     "subresources": {
      "status": {}
     },
     "additionalPrinterColumns": [
      {
       "name": "PoolName",
       "type": "string",
       "jsonPath": ".spec.pool.name"
      },
      {
       "name": "DesiredConfig",
       "type": "string",
       "jsonPath": ".spec.configVersion.desired"
      },
      {
       "name": "CurrentConfig",
       "type": "string",
       "jsonPath": ".status.configVersion.current"
      },
      {
       "name": "Updated",
       "type": "string",
       "jsonPath": ".status.conditions[?(@.type==\"Updated\")].status"
      },
      {
       "name": "Age",
       "type": "date",
       "jsonPath": ".metadata.creationTimestamp"
      },
      {
       "name": "UpdatePrepared",
       "type": "string",
       "priority": 1,
       "jsonPath": ".status.conditions[?(@.type==\"UpdatePrepared\")].status"
      },
      {
       "name": "UpdateExecuted",
       "type": "string",
       "priority": 1,
       "jsonPath": ".status.conditions[?(@.type==\"UpdateExecuted\")].status"
      },
      {
       "name": "UpdatePostActionComplete",
       "type": "string",
       "priority": 1,
       "jsonPath": ".status.conditions[?(@.type==\"UpdatePostActionComplete\")].status"
      },
      {
       "name": "UpdateComplete",
       "type": "string",
       "priority": 1,
       "jsonPath": ".status.conditions[?(@.type==\"UpdateComplete\")].status"
      },
      {
       "name": "Resumed",
       "type": "string",
       "priority": 1,
       "jsonPath": ".status.conditions[?(@.type==\"Resumed\")].status"
      },
      {
       "name": "UpdatedFilesAndOS",
       "type": "string",
       "priority": 1,
       "jsonPath": ".status.conditions[?(@.type==\"AppliedFilesAndOS\")].status"
      },
      {
       "name": "CordonedNode",
       "type": "string",
       "priority": 1,
       "jsonPath": ".status.conditions[?(@.type==\"Cordoned\")].status"
      },
      {
       "name": "DrainedNode",
       "type": "string",
       "priority": 1,
       "jsonPath": ".status.conditions[?(@.type==\"Drained\")].status"
      },
      {
       "name": "RebootedNode",
       "type": "string",
       "priority": 1,
       "jsonPath": ".status.conditions[?(@.type==\"RebootedNode\")].status"
      },
      {
       "name": "UncordonedNode",
       "type": "string",
       "priority": 1,
       "jsonPath": ".status.conditions[?(@.type==\"Uncordoned\")].status"
      }
     ],
     "schema": {
      "openAPIV3Schema": {
       "description": "The progress of one node, phase by phase; it has the node's name.",
       "type": "object",
       "required": [
        "spec"
       ],
       "x-kubernetes-validations": [
        {
         "rule": "self.metadata.name == self.spec.node.name",
         "message": "spec.node.name should match metadata.name"
        }
       ],
       "properties": {
        "apiVersion": {
         "type": "string"
        },
        "kind": {
         "type": "string"
        },
        "metadata": {
         "type": "object"
        },
        "spec": {
         "type": "object",
         "required": [
          "configVersion",
          "node",
          "pool"
         ],
         "properties": {
          "node": {
           "type": "object",
           "required": [
            "name"
           ],
           "properties": {
            "name": {
             "type": "string",
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ]
            }
           }
          },
          "pool": {
           "type": "object",
           "required": [
            "name"
           ],
           "properties": {
            "name": {
             "type": "string",
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ],
             "description": "not-yet-set while unknown."
            }
           }
          },
          "configVersion": {
           "type": "object",
           "required": [
            "desired"
           ],
           "properties": {
            "desired": {
             "type": "string",
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ],
             "description": "not-yet-set while unknown."
            }
           }
          },
          "configImage": {
           "type": "object",
           "required": [
            "desiredImage"
           ],
           "properties": {
            "desiredImage": {
             "type": "string",
             "minLength": 1,
             "maxLength": 447,
             "x-kubernetes-validations": [
              {
               "rule": "self.split('@').size() == 2 && self.split('@')[1].matches('^sha256:[a-f0-9]{64}$')",
               "message": "the OCI Image reference must end with a valid '@sha256:<digest>' suffix, where '<digest>' is 64 characters long"
              },
              {
               "rule": "self.split('@')[0].matches('^([a-zA-Z0-9-]+\\\\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?$')",
               "message": "the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme"
              }
             ]
            }
           }
          }
         }
        },
        "status": {
         "type": "object",
         "properties": {
          "conditions": {
           "type": "array",
           "maxItems": 20,
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "type"
           ],
           "items": {
            "type": "object",
            "required": [
             "lastTransitionTime",
             "message",
             "reason",
             "status",
             "type"
            ],
            "properties": {
             "lastTransitionTime": {
              "type": "string",
              "format": "date-time"
             },
             "message": {
              "type": "string",
              "maxLength": 32768
             },
             "observedGeneration": {
              "type": "integer",
              "format": "int64",
              "minimum": 0
             },
             "reason": {
              "type": "string",
              "minLength": 1,
              "maxLength": 1024,
              "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"
             },
             "status": {
              "type": "string",
              "enum": [
               "True",
               "False",
               "Unknown"
              ]
             },
             "type": {
              "type": "string",
              "maxLength": 316,
              "pattern": "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
             }
            }
           }
          },
          "observedGeneration": {
           "type": "integer",
           "format": "int64",
           "minimum": 1,
           "x-kubernetes-validations": [
            {
             "rule": "self >= oldSelf",
             "message": "observedGeneration must not decrease"
            }
           ]
          },
          "configVersion": {
           "type": "object",
           "required": [
            "desired"
           ],
           "properties": {
            "current": {
             "type": "string",
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ]
            },
            "desired": {
             "type": "string",
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ]
            }
           }
          },
          "configImage": {
           "type": "object",
           "minProperties": 1,
           "properties": {
            "currentImage": {
             "type": "string",
             "minLength": 1,
             "maxLength": 447,
             "x-kubernetes-validations": [
              {
               "rule": "self.split('@').size() == 2 && self.split('@')[1].matches('^sha256:[a-f0-9]{64}$')",
               "message": "the OCI Image reference must end with a valid '@sha256:<digest>' suffix, where '<digest>' is 64 characters long"
              },
              {
               "rule": "self.split('@')[0].matches('^([a-zA-Z0-9-]+\\\\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?$')",
               "message": "the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme"
              }
             ]
            },
            "desiredImage": {
             "type": "string",
             "minLength": 1,
             "maxLength": 447,
             "x-kubernetes-validations": [
              {
               "rule": "self.split('@').size() == 2 && self.split('@')[1].matches('^sha256:[a-f0-9]{64}$')",
               "message": "the OCI Image reference must end with a valid '@sha256:<digest>' suffix, where '<digest>' is 64 characters long"
              },
              {
               "rule": "self.split('@')[0].matches('^([a-zA-Z0-9-]+\\\\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?$')",
               "message": "the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme"
              }
             ]
            }
           }
          },
          "pinnedImageSets": {
           "type": "array",
           "maxItems": 100,
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "name"
           ],
           "items": {
            "type": "object",
            "required": [
             "name"
            ],
            "properties": {
             "name": {
              "type": "string",
              "maxLength": 253,
              "x-kubernetes-validations": [
               {
                "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
                "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
               }
              ]
             },
             "currentGeneration": {
              "type": "integer",
              "format": "int32",
              "minimum": 1,
              "x-kubernetes-validations": [
               {
                "rule": "self >= oldSelf",
                "message": "currentGeneration must not decrease"
               }
              ]
             },
             "desiredGeneration": {
              "type": "integer",
              "format": "int32",
              "minimum": 1,
              "x-kubernetes-validations": [
               {
                "rule": "self >= oldSelf",
                "message": "desiredGeneration must not decrease"
               }
              ]
             },
             "lastFailedGeneration": {
              "type": "integer",
              "format": "int32",
              "minimum": 1,
              "x-kubernetes-validations": [
               {
                "rule": "self >= oldSelf",
                "message": "lastFailedGeneration must not decrease"
               }
              ]
             },
             "lastFailedGenerationError": {
              "type": "string",
              "maxLength": 32768
             }
            },
            "x-kubernetes-validations": [
             {
              "rule": "!has(self.desiredGeneration) || !has(self.currentGeneration) || self.desiredGeneration >= self.currentGeneration",
              "message": "desired generation must be greater than or equal to the current generation"
             },
             {
              "rule": "!has(self.desiredGeneration) || !has(self.lastFailedGeneration) || self.desiredGeneration >= self.lastFailedGeneration",
              "message": "desired generation must be greater than or equal to the last failed generation"
             },
             {
              "rule": "!has(self.lastFailedGeneration) || has(self.lastFailedGenerationError)",
              "message": "last failed generation error must be defined on image pull and pin failure"
             }
            ]
           }
          },
          "irreconcilableChanges": {
           "type": "array",
           "minItems": 1,
           "maxItems": 32,
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "fieldPath"
           ],
           "items": {
            "type": "object",
            "required": [
             "diff",
             "fieldPath"
            ],
            "properties": {
             "fieldPath": {
              "type": "string",
              "minLength": 1,
              "maxLength": 70,
              "x-kubernetes-validations": [
               {
                "rule": "self.startsWith('spec.')",
                "message": "The fieldPath must start with `spec.`"
               },
               {
                "rule": "self.matches('^[\\\\da-zA-Z\\\\.\\\\[\\\\]]+$')",
                "message": "The fieldPath must consist only of alphanumeric characters, brackets [] and dots ('.')."
               }
              ]
             },
             "diff": {
              "type": "string",
              "minLength": 1,
              "maxLength": 4096
             }
            }
           }
          },
          "internalReleaseImage": {
           "type": "object",
           "required": [
            "releases"
           ],
           "properties": {
            "releases": {
             "type": "array",
             "minItems": 1,
             "maxItems": 32,
             "x-kubernetes-list-type": "map",
             "x-kubernetes-list-map-keys": [
              "name"
             ],
             "items": {
              "type": "object",
              "required": [
               "name"
              ],
              "properties": {
               "name": {
                "type": "string",
                "minLength": 1,
                "maxLength": 64,
                "x-kubernetes-validations": [
                 {
                  "rule": "self.matches('^ocp-release-bundle-[0-9]+\\\\.[0-9]+\\\\.[0-9]+-[A-Za-z0-9._-]+$')",
                  "message": "must be ocp-release-bundle-<version>-<arch|stream> and <= 64 chars"
                 }
                ]
               },
               "image": {
                "type": "string",
                "minLength": 1,
                "maxLength": 447,
                "x-kubernetes-validations": [
                 {
                  "rule": "self.split('@').size() == 2 && self.split('@')[1].matches('^sha256:[a-f0-9]{64}$')",
                  "message": "the OCI Image reference must end with a valid '@sha256:<digest>' suffix, where '<digest>' is 64 characters long"
                 },
                 {
                  "rule": "self.split('@')[0].matches('^(([a-zA-Z0-9-]+\\\\.)+[a-zA-Z0-9-]+|localhost)(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?$')",
                  "message": "the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme"
                 }
                ]
               },
               "conditions": {
                "type": "array",
                "minItems": 1,
                "maxItems": 5,
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": [
                 "type"
                ],
                "items": {
                 "type": "object",
                 "required": [
                  "lastTransitionTime",
                  "message",
                  "reason",
                  "status",
                  "type"
                 ],
                 "properties": {
                  "lastTransitionTime": {
                   "type": "string",
                   "format": "date-time"
                  },
                  "message": {
                   "type": "string",
                   "maxLength": 32768
                  },
                  "observedGeneration": {
                   "type": "integer",
                   "format": "int64",
                   "minimum": 0
                  },
                  "reason": {
                   "type": "string",
                   "minLength": 1,
                   "maxLength": 1024,
                   "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"
                  },
                  "status": {
                   "type": "string",
                   "enum": [
                    "True",
                    "False",
                    "Unknown"
                   ]
                  },
                  "type": {
                   "type": "string",
                   "maxLength": 316,
                   "pattern": "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
                  }
                 }
                }
               }
              }
             }
            }
           }
          }
         }
        }
       }
      }
     }
    }
   ]
  }
 },
 {
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {
   "name": "machineconfigpools.machineconfiguration.openshift.io",
   "labels": {
    "openshift.io/operator-managed": ""
   }
  },
  "spec": {
   "group": "machineconfiguration.openshift.io",
   "names": {
    "kind": "MachineConfigPool",
    "listKind": "MachineConfigPoolList",
    "plural": "machineconfigpools",
    "singular": "machineconfigpool",
    "shortNames": [
     "mcp"
    ]
   },
   "scope": "Cluster",
   "versions": [
    {
     "name": "v1",
     "served": true,
     "storage": true,
     "subresources": {
      "status": {}
     },
     "additionalPrinterColumns": [
      {
       "name": "Config",
       "type": "string",
       "jsonPath": ".status.configuration.name"
      },
      {
       "name": "Updated",
       "type": "string",
       "jsonPath": ".status.conditions[?(@.type==\"Updated\")].status"
      },
      {
       "name": "Updating",
       "type": "string",
       "jsonPath": ".status.conditions[?(@.type==\"Updating\")].status"
      },
      {
       "name": "Degraded",
       "type": "string",
       "jsonPath": ".status.conditions[?(@.type==\"Degraded\")].status"
      },
      {
       "name": "MachineCount",
       "type": "number",
       "jsonPath": ".status.machineCount"
      },
      {
       "name": "ReadyMachineCount",
       "type": "number",
       "jsonPath": ".status.readyMachineCount"
      },
      {
       "name": "UpdatedMachineCount",
       "type": "number",
       "jsonPath": ".status.updatedMachineCount"
      },
      {
       "name": "DegradedMachineCount",
       "type": "number",
       "jsonPath": ".status.degradedMachineCount"
      },
      {
       "name": "Age",
       "type": "date",
       "jsonPath": ".metadata.creationTimestamp"
      }
     ],
     "schema": {
      "openAPIV3Schema": {
       "description": "Which MachineConfigs are merged for which nodes, and how fast nodes move to the result.",
       "type": "object",
       "required": [
        "spec"
       ],
       "properties": {
        "apiVersion": {
         "type": "string"
        },
        "kind": {
         "type": "string"
        },
        "metadata": {
         "type": "object"
        },
        "spec": {
         "description": "Which fragments, which nodes, and how they move.",
         "type": "object",
         "properties": {
          "machineConfigSelector": {
           "type": "object",
           "x-kubernetes-map-type": "atomic",
           "properties": {
            "matchLabels": {
             "type": "object",
             "additionalProperties": {
              "type": "string"
             }
            },
            "matchExpressions": {
             "type": "array",
             "x-kubernetes-list-type": "atomic",
             "items": {
              "type": "object",
              "required": [
               "key",
               "operator"
              ],
              "properties": {
               "key": {
                "type": "string"
               },
               "operator": {
                "description": "In, NotIn, Exists or DoesNotExist.",
                "type": "string"
               },
               "values": {
                "type": "array",
                "x-kubernetes-list-type": "atomic",
                "items": {
                 "type": "string"
                }
               }
              }
             }
            }
           },
           "description": "Which MachineConfigs feed the pool; absent or empty selects none."
          },
          "nodeSelector": {
           "type": "object",
           "x-kubernetes-map-type": "atomic",
           "properties": {
            "matchLabels": {
             "type": "object",
             "additionalProperties": {
              "type": "string"
             }
            },
            "matchExpressions": {
             "type": "array",
             "x-kubernetes-list-type": "atomic",
             "items": {
              "type": "object",
              "required": [
               "key",
               "operator"
              ],
              "properties": {
               "key": {
                "type": "string"
               },
               "operator": {
                "description": "In, NotIn, Exists or DoesNotExist.",
                "type": "string"
               },
               "values": {
                "type": "array",
                "x-kubernetes-list-type": "atomic",
                "items": {
                 "type": "string"
                }
               }
              }
             }
            }
           },
           "description": "Which nodes belong to the pool; absent or empty selects none."
          },
          "paused": {
           "description": "Holds the rollout; rendering continues.",
           "type": "boolean"
          },
          "maxUnavailable": {
           "description": "How many nodes may be unavailable at once; a number or a percentage, 1 when absent.",
           "anyOf": [
            {
             "type": "integer"
            },
            {
             "type": "string"
            }
           ],
           "x-kubernetes-int-or-string": true
          },
          "configuration": {
           "description": "The rendered MachineConfig that nodes shall have, and the fragments it was made from.",
           "type": "object",
           "x-kubernetes-map-type": "atomic",
           "properties": {
            "apiVersion": {
             "type": "string"
            },
            "fieldPath": {
             "type": "string"
            },
            "kind": {
             "type": "string"
            },
            "name": {
             "type": "string"
            },
            "namespace": {
             "type": "string"
            },
            "resourceVersion": {
             "type": "string"
            },
            "uid": {
             "type": "string"
            },
            "source": {
             "type": "array",
             "x-kubernetes-list-type": "atomic",
             "items": {
              "type": "object",
              "x-kubernetes-map-type": "atomic",
              "properties": {
               "apiVersion": {
                "type": "string"
               },
               "fieldPath": {
                "type": "string"
               },
               "kind": {
                "type": "string"
               },
               "name": {
                "type": "string"
               },
               "namespace": {
                "type": "string"
               },
               "resourceVersion": {
                "type": "string"
               },
               "uid": {
                "type": "string"
               }
              }
             }
            }
           }
          },
          "pinnedImageSets": {
           "description": "PinnedImageSets whose images the pool's nodes keep.",
           "type": "array",
           "maxItems": 100,
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "name"
           ],
           "items": {
            "type": "object",
            "required": [
             "name"
            ],
            "properties": {
             "name": {
              "type": "string",
              "minLength": 1,
              "maxLength": 253,
              "pattern": "^([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])(\\.([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9]))*$"
             }
            }
           }
          },
          "osImageStream": {
           "description": "The OS image stream of the pool's nodes; absent means the cluster's default stream.",
           "type": "object",
           "required": [
            "name"
           ],
           "properties": {
            "name": {
             "type": "string",
             "minLength": 1,
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ]
            }
           }
          }
         }
        },
        "status": {
         "description": "How far the pool is.",
         "type": "object",
         "properties": {
          "observedGeneration": {
           "description": "The generation of the spec that this status is about.",
           "type": "integer",
           "format": "int64"
          },
          "configuration": {
           "description": "The rendered MachineConfig that every node has had last.",
           "type": "object",
           "x-kubernetes-map-type": "atomic",
           "properties": {
            "apiVersion": {
             "type": "string"
            },
            "fieldPath": {
             "type": "string"
            },
            "kind": {
             "type": "string"
            },
            "name": {
             "type": "string"
            },
            "namespace": {
             "type": "string"
            },
            "resourceVersion": {
             "type": "string"
            },
            "uid": {
             "type": "string"
            },
            "source": {
             "type": "array",
             "x-kubernetes-list-type": "atomic",
             "items": {
              "type": "object",
              "x-kubernetes-map-type": "atomic",
              "properties": {
               "apiVersion": {
                "type": "string"
               },
               "fieldPath": {
                "type": "string"
               },
               "kind": {
                "type": "string"
               },
               "name": {
                "type": "string"
               },
               "namespace": {
                "type": "string"
               },
               "resourceVersion": {
                "type": "string"
               },
               "uid": {
                "type": "string"
               }
              }
             }
            }
           }
          },
          "machineCount": {
           "description": "Nodes of the pool.",
           "type": "integer",
           "format": "int32"
          },
          "updatedMachineCount": {
           "description": "Nodes that run the pool's configuration.",
           "type": "integer",
           "format": "int32"
          },
          "readyMachineCount": {
           "description": "Nodes that run the pool's configuration and take pods.",
           "type": "integer",
           "format": "int32"
          },
          "unavailableMachineCount": {
           "description": "Nodes that cannot take pods, or are being updated.",
           "type": "integer",
           "format": "int32"
          },
          "degradedMachineCount": {
           "description": "Nodes that gave up; the condition NodeDegraded has their reasons.",
           "type": "integer",
           "format": "int32"
          },
          "conditions": {
           "description": "Updated, Updating, Degraded, NodeDegraded, RenderDegraded, and those of image builds.",
           "type": "array",
           "x-kubernetes-list-type": "atomic",
           "items": {
            "type": "object",
            "properties": {
             "lastTransitionTime": {
              "type": "string",
              "format": "date-time",
              "nullable": true
             },
             "message": {
              "type": "string"
             },
             "reason": {
              "type": "string"
             },
             "status": {
              "description": "True, False or Unknown.",
              "type": "string"
             },
             "type": {
              "type": "string"
             }
            }
           }
          },
          "certExpirys": {
           "type": "array",
           "x-kubernetes-list-type": "atomic",
           "items": {
            "type": "object",
            "required": [
             "bundle",
             "subject"
            ],
            "properties": {
             "bundle": {
              "type": "string"
             },
             "expiry": {
              "type": "string",
              "format": "date-time",
              "nullable": true
             },
             "subject": {
              "type": "string"
             }
            }
           }
          },
          "poolSynchronizersStatus": {
           "type": "array",
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "poolSynchronizerType"
           ],
           "items": {
            "type": "object",
            "required": [
             "availableMachineCount",
             "machineCount",
             "poolSynchronizerType",
             "readyMachineCount",
             "unavailableMachineCount",
             "updatedMachineCount"
            ],
            "properties": {
             "poolSynchronizerType": {
              "type": "string",
              "maxLength": 256,
              "enum": [
               "PinnedImageSets"
              ]
             },
             "machineCount": {
              "type": "integer",
              "format": "int64",
              "minimum": 0
             },
             "updatedMachineCount": {
              "type": "integer",
              "format": "int64",
              "minimum": 0
             },
             "readyMachineCount": {
              "type": "integer",
              "format": "int64",
              "minimum": 0
             },
             "availableMachineCount": {
              "type": "integer",
              "format": "int64",
              "minimum": 0
             },
             "unavailableMachineCount": {
              "type": "integer",
              "format": "int64",
              "minimum": 0
             },
             "observedGeneration": {
              "type": "integer",
              "format": "int64",
              "minimum": 0,
              "x-kubernetes-validations": [
               {
                "rule": "self >= oldSelf || (self == 0 && oldSelf > 0)",
                "message": "observedGeneration must not move backwards except to zero"
               }
              ]
             }
            },
            "x-kubernetes-validations": [
             {
              "rule": "self.machineCount >= self.updatedMachineCount",
              "message": "machineCount must be greater than or equal to updatedMachineCount"
             },
             {
              "rule": "self.machineCount >= self.availableMachineCount",
              "message": "machineCount must be greater than or equal to availableMachineCount"
             },
             {
              "rule": "self.machineCount >= self.unavailableMachineCount",
              "message": "machineCount must be greater than or equal to unavailableMachineCount"
             },
             {
              "rule": "self.machineCount >= self.readyMachineCount",
              "message": "machineCount must be greater than or equal to readyMachineCount"
             },
             {
              "rule": "self.availableMachineCount >= self.readyMachineCount",
              "message": "availableMachineCount must be greater than or equal to readyMachineCount"
             }
            ]
           }
          },
          "osImageStream": {
           "description": "The stream that the pool's nodes run, once all do.",
           "type": "object",
           "required": [
            "name"
           ],
           "properties": {
            "name": {
             "type": "string",
             "minLength": 1,
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ]
            }
           }
          }
         }
        }
       }
      }
     }
    }
   ]
  }
 },
 {
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {
   "name": "machineconfigs.machineconfiguration.openshift.io",
   "labels": {
    "openshift.io/operator-managed": ""
   }
  },
  "spec": {
   "group": "machineconfiguration.openshift.io",
   "names": {
    "kind": "MachineConfig",
    "listKind": "MachineConfigList",
    "plural": "machineconfigs",
    "singular": "machineconfig",
    "shortNames": [
     "mc"
    ]
   },
   "scope": "Cluster",
   "versions": [
    {
     "name": "v1",
     "served": true,
     "storage": true,
     "additionalPrinterColumns": [
      {
       "name": "GeneratedByController",
       "description": "Version of the controller that generated the machineconfig. This will be empty if the machineconfig is not managed by a controller.",
       "type": "string",
       "jsonPath": ".metadata.annotations.machineconfiguration\\.openshift\\.io/generated-by-controller-version"
      },
      {
       "name": "IgnitionVersion",
       "description": "Version of the Ignition Config defined in the machineconfig.",
       "type": "string",
       "jsonPath": ".spec.config.ignition.version"
      },
      {
       "name": "Age",
       "type": "date",
       "jsonPath": ".metadata.creationTimestamp"
      }
     ],
     "schema": {
      "openAPIV3Schema": {
       "description": "One fragment of node configuration, or (named rendered-POOL-HASH) the merged result.",
       "type": "object",
       "properties": {
        "apiVersion": {
         "type": "string"
        },
        "kind": {
         "type": "string"
        },
        "metadata": {
         "type": "object"
        },
        "spec": {
         "description": "What nodes shall have. In a fragment every member is optional; in a rendered config all are set.",
         "type": "object",
         "properties": {
          "osImageURL": {
           "description": "The operating-system image; an OCI pull spec.",
           "type": "string"
          },
          "baseOSExtensionsContainerImage": {
           "description": "The image that holds the packages of the extensions.",
           "type": "string"
          },
          "config": {
           "description": "An Ignition config of any accepted version, as an object.",
           "type": "object",
           "x-kubernetes-preserve-unknown-fields": true
          },
          "kernelArguments": {
           "description": "Appended to the kernel's command line, in the order of the merge; duplicates stay.",
           "type": "array",
           "nullable": true,
           "x-kubernetes-list-type": "atomic",
           "items": {
            "type": "string"
           }
          },
          "extensions": {
           "description": "Sets of packages to add to the operating system.",
           "type": "array",
           "x-kubernetes-list-type": "atomic",
           "items": {
            "type": "string"
           }
          },
          "fips": {
           "description": "Only at installation; a change is refused.",
           "type": "boolean"
          },
          "kernelType": {
           "description": "Empty, default, realtime or 64k-pages.",
           "type": "string"
          }
         }
        }
       }
      }
     }
    }
   ]
  }
 },
 {
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {
   "name": "machineconfigurations.operator.openshift.io"
  },
  "spec": {
   "group": "operator.openshift.io",
   "names": {
    "kind": "MachineConfiguration",
    "listKind": "MachineConfigurationList",
    "plural": "machineconfigurations",
    "singular": "machineconfiguration"
   },
   "scope": "Cluster",
   "versions": [
    {
     "name": "v1",
     "served": true,
     "storage": true,
     "subresources": {
      "status": {}
     },
     "schema": {
      "openAPIV3Schema": {
       "description": "Cluster-wide settings of the operator itself; one object, named cluster.",
       "type": "object",
       "required": [
        "spec"
       ],
       "x-kubernetes-validations": [
        {
         "rule": "!(has(self.status) && has(self.status.bootImageSkewEnforcementStatus) && self.status.bootImageSkewEnforcementStatus.mode == 'Automatic') || has(self.spec.managedBootImages) || has(self.status.managedBootImagesStatus)",
         "message": "when skew enforcement is in Automatic mode, a boot image configuration is required"
        },
        {
         "rule": "!(has(self.status) && has(self.status.bootImageSkewEnforcementStatus) && self.status.bootImageSkewEnforcementStatus.mode == 'Automatic') || !has(self.spec.managedBootImages) || !has(self.spec.managedBootImages.machineManagers) || size(self.spec.managedBootImages.machineManagers) > 0",
         "message": "when skew enforcement is in Automatic mode, managedBootImages.machineManagers must not be an empty list"
        },
        {
         "rule": "!(has(self.status) && has(self.status.bootImageSkewEnforcementStatus) && self.status.bootImageSkewEnforcementStatus.mode == 'Automatic') || !has(self.spec.managedBootImages) || !has(self.spec.managedBootImages.machineManagers) || self.spec.managedBootImages.machineManagers.all(m, m.resource != 'machinesets' || m.apiGroup != 'machine.openshift.io' || m.selection.mode == 'All')",
         "message": "when skew enforcement is in Automatic mode, any MachineAPI MachineSet MachineManager must use selection mode 'All'"
        },
        {
         "rule": "!(has(self.status) && has(self.status.bootImageSkewEnforcementStatus) && self.status.bootImageSkewEnforcementStatus.mode == 'Automatic') || !has(self.status.managedBootImagesStatus) || !has(self.status.managedBootImagesStatus.machineManagers) || self.status.managedBootImagesStatus.machineManagers.exists(m, m.resource == 'machinesets' && m.apiGroup == 'machine.openshift.io' && m.selection.mode == 'All')",
         "message": "when skew enforcement is in Automatic mode, managedBootImagesStatus must contain a MachineManager opting in all MachineAPI MachineSets"
        }
       ],
       "properties": {
        "apiVersion": {
         "type": "string"
        },
        "kind": {
         "type": "string"
        },
        "metadata": {
         "type": "object"
        },
        "spec": {
         "type": "object",
         "properties": {
          "managementState": {
           "type": "string",
           "pattern": "^(Managed|Unmanaged|Force|Removed)$"
          },
          "logLevel": {
           "type": "string",
           "enum": [
            "",
            "Normal",
            "Debug",
            "Trace",
            "TraceAll"
           ],
           "default": "Normal"
          },
          "operatorLogLevel": {
           "type": "string",
           "enum": [
            "",
            "Normal",
            "Debug",
            "Trace",
            "TraceAll"
           ],
           "default": "Normal"
          },
          "unsupportedConfigOverrides": {
           "type": "object",
           "nullable": true,
           "x-kubernetes-preserve-unknown-fields": true
          },
          "observedConfig": {
           "type": "object",
           "nullable": true,
           "x-kubernetes-preserve-unknown-fields": true
          },
          "forceRedeploymentReason": {
           "type": "string"
          },
          "failedRevisionLimit": {
           "type": "integer",
           "format": "int32"
          },
          "succeededRevisionLimit": {
           "type": "integer",
           "format": "int32"
          },
          "managedBootImages": {
           "description": "Which machine resources get new boot images; an empty list opts out.",
           "type": "object",
           "properties": {
            "machineManagers": {
             "type": "array",
             "maxItems": 5,
             "x-kubernetes-list-type": "map",
             "x-kubernetes-list-map-keys": [
              "resource",
              "apiGroup"
             ],
             "items": {
              "type": "object",
              "required": [
               "apiGroup",
               "resource",
               "selection"
              ],
              "x-kubernetes-validations": [
               {
                "rule": "self.resource != 'controlplanemachinesets' || self.selection.mode == 'All' || self.selection.mode == 'None'",
                "message": "Only All or None selection mode is permitted for ControlPlaneMachineSets"
               }
              ],
              "properties": {
               "apiGroup": {
                "type": "string",
                "enum": [
                 "machine.openshift.io"
                ]
               },
               "resource": {
                "type": "string",
                "enum": [
                 "machinesets",
                 "controlplanemachinesets"
                ]
               },
               "selection": {
                "type": "object",
                "required": [
                 "mode"
                ],
                "x-kubernetes-validations": [
                 {
                  "rule": "self.mode == 'Partial' ? has(self.partial) : !has(self.partial)",
                  "message": "Partial is required when type is partial, and forbidden otherwise"
                 }
                ],
                "properties": {
                 "mode": {
                  "type": "string",
                  "enum": [
                   "All",
                   "Partial",
                   "None"
                  ]
                 },
                 "partial": {
                  "type": "object",
                  "required": [
                   "machineResourceSelector"
                  ],
                  "properties": {
                   "machineResourceSelector": {
                    "type": "object",
                    "x-kubernetes-map-type": "atomic",
                    "properties": {
                     "matchLabels": {
                      "type": "object",
                      "additionalProperties": {
                       "type": "string"
                      }
                     },
                     "matchExpressions": {
                      "type": "array",
                      "x-kubernetes-list-type": "atomic",
                      "items": {
                       "type": "object",
                       "required": [
                        "key",
                        "operator"
                       ],
                       "properties": {
                        "key": {
                         "type": "string"
                        },
                        "operator": {
                         "description": "In, NotIn, Exists or DoesNotExist.",
                         "type": "string"
                        },
                        "values": {
                         "type": "array",
                         "x-kubernetes-list-type": "atomic",
                         "items": {
                          "type": "string"
                         }
                        }
                       }
                      }
                     }
                    }
                   }
                  }
                 }
                }
               }
              }
             }
            }
           }
          },
          "nodeDisruptionPolicy": {
           "description": "What a change to a file, a unit or the SSH keys costs the node.",
           "type": "object",
           "properties": {
            "files": {
             "type": "array",
             "maxItems": 50,
             "x-kubernetes-list-type": "map",
             "x-kubernetes-list-map-keys": [
              "path"
             ],
             "items": {
              "type": "object",
              "required": [
               "actions",
               "path"
              ],
              "properties": {
               "path": {
                "description": "A file, or a directory with everything below it.",
                "type": "string"
               },
               "actions": {
                "type": "array",
                "maxItems": 10,
                "x-kubernetes-list-type": "atomic",
                "x-kubernetes-validations": [
                 {
                  "rule": "!self.exists(x, x.type == 'Reboot') || size(self) == 1",
                  "message": "Reboot action can only be specified standalone, as it will override any other actions"
                 },
                 {
                  "rule": "!self.exists(x, x.type == 'None') || size(self) == 1",
                  "message": "None action can only be specified standalone, as it will override any other actions"
                 }
                ],
                "items": {
                 "type": "object",
                 "required": [
                  "type"
                 ],
                 "x-kubernetes-validations": [
                  {
                   "rule": "self.type == 'Reload' ? has(self.reload) : !has(self.reload)",
                   "message": "reload is required when type is Reload, and forbidden otherwise"
                  },
                  {
                   "rule": "self.type == 'Restart' ? has(self.restart) : !has(self.restart)",
                   "message": "restart is required when type is Restart, and forbidden otherwise"
                  }
                 ],
                 "properties": {
                  "type": {
                   "type": "string",
                   "enum": [
                    "Reboot",
                    "Drain",
                    "Reload",
                    "Restart",
                    "DaemonReload",
                    "None"
                   ]
                  },
                  "reload": {
                   "type": "object",
                   "required": [
                    "serviceName"
                   ],
                   "properties": {
                    "serviceName": {
                     "type": "string",
                     "maxLength": 255,
                     "x-kubernetes-validations": [
                      {
                       "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                       "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                      },
                      {
                       "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                       "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                      }
                     ]
                    }
                   }
                  },
                  "restart": {
                   "type": "object",
                   "required": [
                    "serviceName"
                   ],
                   "properties": {
                    "serviceName": {
                     "type": "string",
                     "maxLength": 255,
                     "x-kubernetes-validations": [
                      {
                       "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                       "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                      },
                      {
                       "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                       "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                      }
                     ]
                    }
                   }
                  }
                 }
                }
               }
              }
             }
            },
            "units": {
             "type": "array",
             "maxItems": 50,
             "x-kubernetes-list-type": "map",
             "x-kubernetes-list-map-keys": [
              "name"
             ],
             "items": {
              "type": "object",
              "required": [
               "actions",
               "name"
              ],
              "properties": {
               "name": {
                "type": "string",
                "maxLength": 255,
                "x-kubernetes-validations": [
                 {
                  "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                  "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                 },
                 {
                  "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                  "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                 }
                ]
               },
               "actions": {
                "type": "array",
                "maxItems": 10,
                "x-kubernetes-list-type": "atomic",
                "x-kubernetes-validations": [
                 {
                  "rule": "!self.exists(x, x.type == 'Reboot') || size(self) == 1",
                  "message": "Reboot action can only be specified standalone, as it will override any other actions"
                 },
                 {
                  "rule": "!self.exists(x, x.type == 'None') || size(self) == 1",
                  "message": "None action can only be specified standalone, as it will override any other actions"
                 }
                ],
                "items": {
                 "type": "object",
                 "required": [
                  "type"
                 ],
                 "x-kubernetes-validations": [
                  {
                   "rule": "self.type == 'Reload' ? has(self.reload) : !has(self.reload)",
                   "message": "reload is required when type is Reload, and forbidden otherwise"
                  },
                  {
                   "rule": "self.type == 'Restart' ? has(self.restart) : !has(self.restart)",
                   "message": "restart is required when type is Restart, and forbidden otherwise"
                  }
                 ],
                 "properties": {
                  "type": {
                   "type": "string",
                   "enum": [
                    "Reboot",
                    "Drain",
                    "Reload",
                    "Restart",
                    "DaemonReload",
                    "None"
                   ]
                  },
                  "reload": {
                   "type": "object",
                   "required": [
                    "serviceName"
                   ],
                   "properties": {
                    "serviceName": {
                     "type": "string",
                     "maxLength": 255,
                     "x-kubernetes-validations": [
                      {
                       "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                       "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                      },
                      {
                       "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                       "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                      }
                     ]
                    }
                   }
                  },
                  "restart": {
                   "type": "object",
                   "required": [
                    "serviceName"
                   ],
                   "properties": {
                    "serviceName": {
                     "type": "string",
                     "maxLength": 255,
                     "x-kubernetes-validations": [
                      {
                       "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                       "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                      },
                      {
                       "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                       "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                      }
                     ]
                    }
                   }
                  }
                 }
                }
               }
              }
             }
            },
            "sshkey": {
             "type": "object",
             "required": [
              "actions"
             ],
             "properties": {
              "actions": {
               "type": "array",
               "maxItems": 10,
               "x-kubernetes-list-type": "atomic",
               "x-kubernetes-validations": [
                {
                 "rule": "!self.exists(x, x.type == 'Reboot') || size(self) == 1",
                 "message": "Reboot action can only be specified standalone, as it will override any other actions"
                },
                {
                 "rule": "!self.exists(x, x.type == 'None') || size(self) == 1",
                 "message": "None action can only be specified standalone, as it will override any other actions"
                }
               ],
               "items": {
                "type": "object",
                "required": [
                 "type"
                ],
                "x-kubernetes-validations": [
                 {
                  "rule": "self.type == 'Reload' ? has(self.reload) : !has(self.reload)",
                  "message": "reload is required when type is Reload, and forbidden otherwise"
                 },
                 {
                  "rule": "self.type == 'Restart' ? has(self.restart) : !has(self.restart)",
                  "message": "restart is required when type is Restart, and forbidden otherwise"
                 }
                ],
                "properties": {
                 "type": {
                  "type": "string",
                  "enum": [
                   "Reboot",
                   "Drain",
                   "Reload",
                   "Restart",
                   "DaemonReload",
                   "None"
                  ]
                 },
                 "reload": {
                  "type": "object",
                  "required": [
                   "serviceName"
                  ],
                  "properties": {
                   "serviceName": {
                    "type": "string",
                    "maxLength": 255,
                    "x-kubernetes-validations": [
                     {
                      "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                      "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                     },
                     {
                      "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                      "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                     }
                    ]
                   }
                  }
                 },
                 "restart": {
                  "type": "object",
                  "required": [
                   "serviceName"
                  ],
                  "properties": {
                   "serviceName": {
                    "type": "string",
                    "maxLength": 255,
                    "x-kubernetes-validations": [
                     {
                      "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                      "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                     },
                     {
                      "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                      "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                     }
                    ]
                   }
                  }
                 }
                }
               }
              }
             }
            }
           }
          },
          "irreconcilableValidationOverrides": {
           "description": "Parts of the machine config that may differ from what a node was installed with.",
           "type": "object",
           "minProperties": 1,
           "properties": {
            "storage": {
             "type": "array",
             "minItems": 1,
             "maxItems": 3,
             "x-kubernetes-list-type": "set",
             "items": {
              "type": "string",
              "enum": [
               "Disks",
               "FileSystems",
               "Raid"
              ]
             }
            }
           }
          },
          "bootImageSkewEnforcement": {
           "type": "object",
           "required": [
            "mode"
           ],
           "x-kubernetes-validations": [
            {
             "rule": "self.mode == 'Manual' ? has(self.manual) : !has(self.manual)",
             "message": "manual is required when mode is Manual, and forbidden otherwise"
            }
           ],
           "properties": {
            "mode": {
             "type": "string",
             "enum": [
              "Manual",
              "None"
             ]
            },
            "manual": {
             "type": "object",
             "required": [
              "mode"
             ],
             "x-kubernetes-validations": [
              {
               "rule": "self.mode == 'OCPVersion' ? has(self.ocpVersion) : !has(self.ocpVersion)",
               "message": "ocpVersion is required when mode is OCPVersion, and forbidden otherwise"
              },
              {
               "rule": "self.mode == 'RHCOSVersion' ? has(self.rhcosVersion) : !has(self.rhcosVersion)",
               "message": "rhcosVersion is required when mode is RHCOSVersion, and forbidden otherwise"
              }
             ],
             "properties": {
              "mode": {
               "type": "string",
               "enum": [
                "OCPVersion",
                "RHCOSVersion"
               ]
              },
              "ocpVersion": {
               "type": "string",
               "minLength": 5,
               "maxLength": 10,
               "x-kubernetes-validations": [
                {
                 "rule": "self.matches('^[0-9]+\\\\.[0-9]+\\\\.[0-9]+$')",
                 "message": "ocpVersion must match the OCP semver compatible format of x.y.z"
                }
               ]
              },
              "rhcosVersion": {
               "type": "string",
               "minLength": 14,
               "maxLength": 21,
               "x-kubernetes-validations": [
                {
                 "rule": "self.matches('^[0-9]+\\\\.[0-9]+\\\\.([0-9]{8}|[0-9]{12})-[0-9]+$')",
                 "message": "rhcosVersion must match format [major].[minor].[datestamp(YYYYMMDD)]-[buildnumber] or must match legacy format [major].[minor].[timestamp(YYYYMMDDHHmm)]-[buildnumber]"
                }
               ]
              }
             }
            }
           }
          }
         }
        },
        "status": {
         "type": "object",
         "properties": {
          "observedGeneration": {
           "type": "integer",
           "format": "int64"
          },
          "conditions": {
           "type": "array",
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "type"
           ],
           "items": {
            "type": "object",
            "required": [
             "lastTransitionTime",
             "message",
             "reason",
             "status",
             "type"
            ],
            "properties": {
             "lastTransitionTime": {
              "type": "string",
              "format": "date-time"
             },
             "message": {
              "type": "string",
              "maxLength": 32768
             },
             "observedGeneration": {
              "type": "integer",
              "format": "int64",
              "minimum": 0
             },
             "reason": {
              "type": "string",
              "minLength": 1,
              "maxLength": 1024,
              "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"
             },
             "status": {
              "type": "string",
              "enum": [
               "True",
               "False",
               "Unknown"
              ]
             },
             "type": {
              "type": "string",
              "maxLength": 316,
              "pattern": "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
             }
            }
           }
          },
          "nodeDisruptionPolicyStatus": {
           "type": "object",
           "properties": {
            "clusterPolicies": {
             "description": "The policy in force, defaults included.",
             "type": "object",
             "properties": {
              "files": {
               "type": "array",
               "maxItems": 100,
               "x-kubernetes-list-type": "map",
               "x-kubernetes-list-map-keys": [
                "path"
               ],
               "items": {
                "type": "object",
                "required": [
                 "actions",
                 "path"
                ],
                "properties": {
                 "path": {
                  "type": "string"
                 },
                 "actions": {
                  "type": "array",
                  "maxItems": 10,
                  "x-kubernetes-list-type": "atomic",
                  "x-kubernetes-validations": [
                   {
                    "rule": "!self.exists(x, x.type == 'Reboot') || size(self) == 1",
                    "message": "Reboot action can only be specified standalone, as it will override any other actions"
                   },
                   {
                    "rule": "!self.exists(x, x.type == 'None') || size(self) == 1",
                    "message": "None action can only be specified standalone, as it will override any other actions"
                   }
                  ],
                  "items": {
                   "type": "object",
                   "required": [
                    "type"
                   ],
                   "x-kubernetes-validations": [
                    {
                     "rule": "self.type == 'Reload' ? has(self.reload) : !has(self.reload)",
                     "message": "reload is required when type is Reload, and forbidden otherwise"
                    },
                    {
                     "rule": "self.type == 'Restart' ? has(self.restart) : !has(self.restart)",
                     "message": "restart is required when type is Restart, and forbidden otherwise"
                    }
                   ],
                   "properties": {
                    "type": {
                     "type": "string",
                     "enum": [
                      "Reboot",
                      "Drain",
                      "Reload",
                      "Restart",
                      "DaemonReload",
                      "None",
                      "Special"
                     ]
                    },
                    "reload": {
                     "type": "object",
                     "required": [
                      "serviceName"
                     ],
                     "properties": {
                      "serviceName": {
                       "type": "string",
                       "maxLength": 255,
                       "x-kubernetes-validations": [
                        {
                         "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                         "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                        },
                        {
                         "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                         "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                        }
                       ]
                      }
                     }
                    },
                    "restart": {
                     "type": "object",
                     "required": [
                      "serviceName"
                     ],
                     "properties": {
                      "serviceName": {
                       "type": "string",
                       "maxLength": 255,
                       "x-kubernetes-validations": [
                        {
                         "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                         "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                        },
                        {
                         "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                         "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                        }
                       ]
                      }
                     }
                    }
                   }
                  }
                 }
                }
               }
              },
              "units": {
               "type": "array",
               "maxItems": 100,
               "x-kubernetes-list-type": "map",
               "x-kubernetes-list-map-keys": [
                "name"
               ],
               "items": {
                "type": "object",
                "required": [
                 "actions",
                 "name"
                ],
                "properties": {
                 "name": {
                  "type": "string",
                  "maxLength": 255,
                  "x-kubernetes-validations": [
                   {
                    "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                    "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                   },
                   {
                    "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                    "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                   }
                  ]
                 },
                 "actions": {
                  "type": "array",
                  "maxItems": 10,
                  "x-kubernetes-list-type": "atomic",
                  "x-kubernetes-validations": [
                   {
                    "rule": "!self.exists(x, x.type == 'Reboot') || size(self) == 1",
                    "message": "Reboot action can only be specified standalone, as it will override any other actions"
                   },
                   {
                    "rule": "!self.exists(x, x.type == 'None') || size(self) == 1",
                    "message": "None action can only be specified standalone, as it will override any other actions"
                   }
                  ],
                  "items": {
                   "type": "object",
                   "required": [
                    "type"
                   ],
                   "x-kubernetes-validations": [
                    {
                     "rule": "self.type == 'Reload' ? has(self.reload) : !has(self.reload)",
                     "message": "reload is required when type is Reload, and forbidden otherwise"
                    },
                    {
                     "rule": "self.type == 'Restart' ? has(self.restart) : !has(self.restart)",
                     "message": "restart is required when type is Restart, and forbidden otherwise"
                    }
                   ],
                   "properties": {
                    "type": {
                     "type": "string",
                     "enum": [
                      "Reboot",
                      "Drain",
                      "Reload",
                      "Restart",
                      "DaemonReload",
                      "None",
                      "Special"
                     ]
                    },
                    "reload": {
                     "type": "object",
                     "required": [
                      "serviceName"
                     ],
                     "properties": {
                      "serviceName": {
                       "type": "string",
                       "maxLength": 255,
                       "x-kubernetes-validations": [
                        {
                         "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                         "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                        },
                        {
                         "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                         "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                        }
                       ]
                      }
                     }
                    },
                    "restart": {
                     "type": "object",
                     "required": [
                      "serviceName"
                     ],
                     "properties": {
                      "serviceName": {
                       "type": "string",
                       "maxLength": 255,
                       "x-kubernetes-validations": [
                        {
                         "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                         "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                        },
                        {
                         "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                         "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                        }
                       ]
                      }
                     }
                    }
                   }
                  }
                 }
                }
               }
              },
              "sshkey": {
               "type": "object",
               "required": [
                "actions"
               ],
               "properties": {
                "actions": {
                 "type": "array",
                 "maxItems": 10,
                 "x-kubernetes-list-type": "atomic",
                 "x-kubernetes-validations": [
                  {
                   "rule": "!self.exists(x, x.type == 'Reboot') || size(self) == 1",
                   "message": "Reboot action can only be specified standalone, as it will override any other actions"
                  },
                  {
                   "rule": "!self.exists(x, x.type == 'None') || size(self) == 1",
                   "message": "None action can only be specified standalone, as it will override any other actions"
                  }
                 ],
                 "items": {
                  "type": "object",
                  "required": [
                   "type"
                  ],
                  "x-kubernetes-validations": [
                   {
                    "rule": "self.type == 'Reload' ? has(self.reload) : !has(self.reload)",
                    "message": "reload is required when type is Reload, and forbidden otherwise"
                   },
                   {
                    "rule": "self.type == 'Restart' ? has(self.restart) : !has(self.restart)",
                    "message": "restart is required when type is Restart, and forbidden otherwise"
                   }
                  ],
                  "properties": {
                   "type": {
                    "type": "string",
                    "enum": [
                     "Reboot",
                     "Drain",
                     "Reload",
                     "Restart",
                     "DaemonReload",
                     "None",
                     "Special"
                    ]
                   },
                   "reload": {
                    "type": "object",
                    "required": [
                     "serviceName"
                    ],
                    "properties": {
                     "serviceName": {
                      "type": "string",
                      "maxLength": 255,
                      "x-kubernetes-validations": [
                       {
                        "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                        "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                       },
                       {
                        "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                        "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                       }
                      ]
                     }
                    }
                   },
                   "restart": {
                    "type": "object",
                    "required": [
                     "serviceName"
                    ],
                    "properties": {
                     "serviceName": {
                      "type": "string",
                      "maxLength": 255,
                      "x-kubernetes-validations": [
                       {
                        "rule": "self.matches('\\\\.(service|socket|device|mount|automount|swap|target|path|timer|snapshot|slice|scope)$')",
                        "message": "Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of \".service\", \".socket\", \".device\", \".mount\", \".automount\", \".swap\", \".target\", \".path\", \".timer\",\".snapshot\", \".slice\" or \".scope\"."
                       },
                       {
                        "rule": "self.matches('^[a-zA-Z0-9:._\\\\\\\\-]+\\\\..')",
                        "message": "Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, \":\", \"-\", \"_\", \".\", and \"\\\""
                       }
                      ]
                     }
                    }
                   }
                  }
                 }
                }
               }
              }
             }
            }
           }
          },
          "managedBootImagesStatus": {
           "description": "The boot image settings in force.",
           "type": "object",
           "properties": {
            "machineManagers": {
             "type": "array",
             "maxItems": 5,
             "x-kubernetes-list-type": "map",
             "x-kubernetes-list-map-keys": [
              "resource",
              "apiGroup"
             ],
             "items": {
              "type": "object",
              "required": [
               "apiGroup",
               "resource",
               "selection"
              ],
              "x-kubernetes-validations": [
               {
                "rule": "self.resource != 'controlplanemachinesets' || self.selection.mode == 'All' || self.selection.mode == 'None'",
                "message": "Only All or None selection mode is permitted for ControlPlaneMachineSets"
               }
              ],
              "properties": {
               "apiGroup": {
                "type": "string",
                "enum": [
                 "machine.openshift.io"
                ]
               },
               "resource": {
                "type": "string",
                "enum": [
                 "machinesets",
                 "controlplanemachinesets"
                ]
               },
               "selection": {
                "type": "object",
                "required": [
                 "mode"
                ],
                "x-kubernetes-validations": [
                 {
                  "rule": "self.mode == 'Partial' ? has(self.partial) : !has(self.partial)",
                  "message": "Partial is required when type is partial, and forbidden otherwise"
                 }
                ],
                "properties": {
                 "mode": {
                  "type": "string",
                  "enum": [
                   "All",
                   "Partial",
                   "None"
                  ]
                 },
                 "partial": {
                  "type": "object",
                  "required": [
                   "machineResourceSelector"
                  ],
                  "properties": {
                   "machineResourceSelector": {
                    "type": "object",
                    "x-kubernetes-map-type": "atomic",
                    "properties": {
                     "matchLabels": {
                      "type": "object",
                      "additionalProperties": {
                       "type": "string"
                      }
                     },
                     "matchExpressions": {
                      "type": "array",
                      "x-kubernetes-list-type": "atomic",
                      "items": {
                       "type": "object",
                       "required": [
                        "key",
                        "operator"
                       ],
                       "properties": {
                        "key": {
                         "type": "string"
                        },
                        "operator": {
                         "description": "In, NotIn, Exists or DoesNotExist.",
                         "type": "string"
                        },
                        "values": {
                         "type": "array",
                         "x-kubernetes-list-type": "atomic",
                         "items": {
                          "type": "string"
                         }
                        }
                       }
                      }
                     }
                    }
                   }
                  }
                 }
                }
               }
              }
             }
            }
           }
          },
          "bootImageSkewEnforcementStatus": {
           "type": "object",
           "required": [
            "mode"
           ],
           "x-kubernetes-validations": [
            {
             "rule": "self.mode == 'Automatic' ? has(self.automatic) : !has(self.automatic)",
             "message": "automatic is required when mode is Automatic, and forbidden otherwise"
            },
            {
             "rule": "self.mode == 'Manual' ? has(self.manual) : !has(self.manual)",
             "message": "manual is required when mode is Manual, and forbidden otherwise"
            }
           ],
           "properties": {
            "mode": {
             "type": "string",
             "enum": [
              "Automatic",
              "Manual",
              "None"
             ]
            },
            "automatic": {
             "type": "object",
             "minProperties": 1,
             "x-kubernetes-validations": [
              {
               "rule": "has(self.ocpVersion) || has(self.rhcosVersion)",
               "message": "at least one of ocpVersion or rhcosVersion is required"
              }
             ],
             "properties": {
              "ocpVersion": {
               "type": "string",
               "minLength": 5,
               "maxLength": 10,
               "x-kubernetes-validations": [
                {
                 "rule": "self.matches('^[0-9]+\\\\.[0-9]+\\\\.[0-9]+$')",
                 "message": "ocpVersion must match the OCP semver compatible format of x.y.z"
                }
               ]
              },
              "rhcosVersion": {
               "type": "string",
               "minLength": 14,
               "maxLength": 21,
               "x-kubernetes-validations": [
                {
                 "rule": "self.matches('^[0-9]+\\\\.[0-9]+\\\\.([0-9]{8}|[0-9]{12})-[0-9]+$')",
                 "message": "rhcosVersion must match format [major].[minor].[datestamp(YYYYMMDD)]-[buildnumber] or must match legacy format [major].[minor].[timestamp(YYYYMMDDHHmm)]-[buildnumber]"
                }
               ]
              }
             }
            },
            "manual": {
             "type": "object",
             "required": [
              "mode"
             ],
             "x-kubernetes-validations": [
              {
               "rule": "self.mode == 'OCPVersion' ? has(self.ocpVersion) : !has(self.ocpVersion)",
               "message": "ocpVersion is required when mode is OCPVersion, and forbidden otherwise"
              },
              {
               "rule": "self.mode == 'RHCOSVersion' ? has(self.rhcosVersion) : !has(self.rhcosVersion)",
               "message": "rhcosVersion is required when mode is RHCOSVersion, and forbidden otherwise"
              }
             ],
             "properties": {
              "mode": {
               "type": "string",
               "enum": [
                "OCPVersion",
                "RHCOSVersion"
               ]
              },
              "ocpVersion": {
               "type": "string",
               "minLength": 5,
               "maxLength": 10,
               "x-kubernetes-validations": [
                {
                 "rule": "self.matches('^[0-9]+\\\\.[0-9]+\\\\.[0-9]+$')",
                 "message": "ocpVersion must match the OCP semver compatible format of x.y.z"
                }
               ]
              },
              "rhcosVersion": {
               "type": "string",
               "minLength": 14,
               "maxLength": 21,
               "x-kubernetes-validations": [
                {
                 "rule": "self.matches('^[0-9]+\\\\.[0-9]+\\\\.([0-9]{8}|[0-9]{12})-[0-9]+$')",
                 "message": "rhcosVersion must match format [major].[minor].[datestamp(YYYYMMDD)]-[buildnumber] or must match legacy format [major].[minor].[timestamp(YYYYMMDDHHmm)]-[buildnumber]"
                }
               ]
              }
             }
            }
           }
          }
         }
        }
       }
      }
     }
    }
   ]
  }
 },
 {
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {
   "name": "machineosbuilds.machineconfiguration.openshift.io",
   "labels": {
    "openshift.io/operator-managed": ""
   }
  },
  "spec": {
   "group": "machineconfiguration.openshift.io",
   "names": {
    "kind": "MachineOSBuild",
    "listKind": "MachineOSBuildList",
    "plural": "machineosbuilds",
    "singular": "machineosbuild"
   },
   "scope": "Cluster",
   "versions": [
    {
     "name": "v1",
     "served": true,
     "storage": true,
     "subresources": {
      "status": {}
     },
     "additionalPrinterColumns": [
      {
       "name": "Prepared",
       "type": "string",
       "jsonPath": ".status.conditions[?(@.type==\"Prepared\")].status"
      },
      {
       "name": "Building",
       "type": "string",
       "jsonPath": ".status.conditions[?(@.type==\"Building\")].status"
      },
      {
       "name": "Succeeded",
       "type": "string",
       "jsonPath": ".status.conditions[?(@.type==\"Succeeded\")].status"
      },
      {
       "name": "Interrupted",
       "type": "string",
       "jsonPath": ".status.conditions[?(@.type==\"Interrupted\")].status"
      },
      {
       "name": "Failed",
       "type": "string",
       "jsonPath": ".status.conditions[?(@.type==\"Failed\")].status"
      },
      {
       "name": "Age",
       "type": "date",
       "jsonPath": ".metadata.creationTimestamp"
      }
     ],
     "schema": {
      "openAPIV3Schema": {
       "description": "One build of one rendered config for one MachineOSConfig.",
       "type": "object",
       "required": [
        "spec"
       ],
       "properties": {
        "apiVersion": {
         "type": "string"
        },
        "kind": {
         "type": "string"
        },
        "metadata": {
         "type": "object"
        },
        "spec": {
         "type": "object",
         "required": [
          "machineConfig",
          "machineOSConfig",
          "renderedImagePushSpec"
         ],
         "x-kubernetes-validations": [
          {
           "rule": "self == oldSelf",
           "message": "machineOSBuildSpec is immutable once set"
          }
         ],
         "properties": {
          "machineConfig": {
           "type": "object",
           "required": [
            "name"
           ],
           "properties": {
            "name": {
             "type": "string",
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ],
             "minLength": 10
            }
           }
          },
          "machineOSConfig": {
           "type": "object",
           "required": [
            "name"
           ],
           "properties": {
            "name": {
             "type": "string",
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ],
             "minLength": 1
            }
           }
          },
          "renderedImagePushSpec": {
           "type": "string",
           "minLength": 1,
           "maxLength": 447,
           "x-kubernetes-validations": [
            {
             "rule": "self.matches('^([a-zA-Z0-9-]+\\\\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?(/[a-zA-Z0-9-_]{1,61})*/[a-zA-Z0-9-_.]+:[a-zA-Z0-9._-]+$') || self.matches('^[^.]+\\\\.[^.]+\\\\.svc:\\\\d+\\\\/[^\\\\/]+\\\\/[^\\\\/]+:[^\\\\/]+$')",
             "message": "the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme. Or it must be a valid .svc followed by a port, repository, image name, and tag."
            }
           ]
          }
         }
        },
        "status": {
         "type": "object",
         "x-kubernetes-validations": [
          {
           "rule": "!has(self.buildEnd) || (has(self.buildStart) && self.buildStart < self.buildEnd)",
           "message": "buildEnd must be after buildStart"
          }
         ],
         "properties": {
          "conditions": {
           "type": "array",
           "maxItems": 8,
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "type"
           ],
           "items": {
            "type": "object",
            "required": [
             "lastTransitionTime",
             "message",
             "reason",
             "status",
             "type"
            ],
            "properties": {
             "lastTransitionTime": {
              "type": "string",
              "format": "date-time"
             },
             "message": {
              "type": "string",
              "maxLength": 32768
             },
             "observedGeneration": {
              "type": "integer",
              "format": "int64",
              "minimum": 0
             },
             "reason": {
              "type": "string",
              "minLength": 1,
              "maxLength": 1024,
              "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"
             },
             "status": {
              "type": "string",
              "enum": [
               "True",
               "False",
               "Unknown"
              ]
             },
             "type": {
              "type": "string",
              "maxLength": 316,
              "pattern": "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
             }
            }
           },
           "x-kubernetes-validations": [
            {
             "rule": "!oldSelf.exists(c, c.type == 'Failed' && c.status == 'True') || self == oldSelf",
             "message": "once a Failed condition is set, conditions are immutable"
            },
            {
             "rule": "!oldSelf.exists(c, c.type == 'Interrupted' && c.status == 'True') || self == oldSelf",
             "message": "once an Interrupted condition is set, conditions are immutable"
            },
            {
             "rule": "!oldSelf.exists(c, c.type == 'Succeeded' && c.status == 'True') || self == oldSelf",
             "message": "once an Succeeded condition is set, conditions are immutable"
            }
           ]
          },
          "builder": {
           "type": "object",
           "required": [
            "imageBuilderType"
           ],
           "x-kubernetes-validations": [
            {
             "rule": "self.imageBuilderType == 'Job' ? has(self.job) : !has(self.job)",
             "message": "job is required when imageBuilderType is Job, and forbidden otherwise"
            }
           ],
           "properties": {
            "imageBuilderType": {
             "type": "string",
             "enum": [
              "Job"
             ]
            },
            "job": {
             "type": "object",
             "required": [
              "group",
              "name",
              "resource"
             ],
             "properties": {
              "group": {
               "type": "string",
               "maxLength": 253,
               "x-kubernetes-validations": [
                {
                 "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
                 "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
                }
               ]
              },
              "resource": {
               "type": "string",
               "minLength": 1,
               "maxLength": 63,
               "x-kubernetes-validations": [
                {
                 "rule": "!format.dns1035Label().validate(self).hasValue()",
                 "message": "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character"
                }
               ]
              },
              "namespace": {
               "type": "string",
               "minLength": 1,
               "maxLength": 63,
               "x-kubernetes-validations": [
                {
                 "rule": "!format.dns1123Label().validate(self).hasValue()",
                 "message": "the value must consist of only lowercase alphanumeric characters and hyphens"
                }
               ]
              },
              "name": {
               "type": "string",
               "maxLength": 253,
               "x-kubernetes-validations": [
                {
                 "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
                 "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
                }
               ],
               "minLength": 1
              }
             }
            }
           }
          },
          "relatedObjects": {
           "type": "array",
           "maxItems": 10,
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "name",
            "resource"
           ],
           "items": {
            "type": "object",
            "required": [
             "group",
             "name",
             "resource"
            ],
            "properties": {
             "group": {
              "type": "string",
              "maxLength": 253,
              "x-kubernetes-validations": [
               {
                "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
                "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
               }
              ]
             },
             "resource": {
              "type": "string",
              "minLength": 1,
              "maxLength": 63,
              "x-kubernetes-validations": [
               {
                "rule": "!format.dns1035Label().validate(self).hasValue()",
                "message": "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character"
               }
              ]
             },
             "namespace": {
              "type": "string",
              "minLength": 1,
              "maxLength": 63,
              "x-kubernetes-validations": [
               {
                "rule": "!format.dns1123Label().validate(self).hasValue()",
                "message": "the value must consist of only lowercase alphanumeric characters and hyphens"
               }
              ]
             },
             "name": {
              "type": "string",
              "maxLength": 253,
              "x-kubernetes-validations": [
               {
                "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
                "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
               }
              ],
              "minLength": 1
             }
            }
           }
          },
          "buildStart": {
           "type": "string",
           "format": "date-time",
           "x-kubernetes-validations": [
            {
             "rule": "self == oldSelf",
             "message": "buildStart is immutable once set"
            }
           ]
          },
          "buildEnd": {
           "type": "string",
           "format": "date-time",
           "x-kubernetes-validations": [
            {
             "rule": "self == oldSelf",
             "message": "buildEnd is immutable once set"
            }
           ]
          },
          "digestedImagePushSpec": {
           "type": "string",
           "minLength": 1,
           "maxLength": 447,
           "x-kubernetes-validations": [
            {
             "rule": "self.split('@').size() == 2 && self.split('@')[1].matches('^sha256:[a-f0-9]{64}$')",
             "message": "the OCI Image reference must end with a valid '@sha256:<digest>' suffix, where '<digest>' is 64 characters long"
            },
            {
             "rule": "self.split('@')[0].matches('^([a-zA-Z0-9-]+\\\\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?$')",
             "message": "the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme"
            }
           ]
          }
         }
        }
       }
      }
     }
    }
   ]
  }
 },
 {
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {
   "name": "machineosconfigs.machineconfiguration.openshift.io",
   "labels": {
    "openshift.io/operator-managed": ""
   }
  },
  "spec": {
   "group": "machineconfiguration.openshift.io",
   "names": {
    "kind": "MachineOSConfig",
    "listKind": "MachineOSConfigList",
    "plural": "machineosconfigs",
    "singular": "machineosconfig"
   },
   "scope": "Cluster",
   "versions": [
    {
     "name": "v1",
     "served": true,
     "storage": true,
     "subresources": {
      "status": {}
     },
     "schema": {
      "openAPIV3Schema": {
       "description": "How a pool's own OS image is built; it has the pool's name.",
       "type": "object",
       "required": [
        "spec"
       ],
       "x-kubernetes-validations": [
        {
         "rule": "self.metadata.name == self.spec.machineConfigPool.name || (oldSelf.hasValue() && oldSelf.value().spec.machineConfigPool.name == self.spec.machineConfigPool.name)",
         "optionalOldSelf": true,
         "message": "MachineOSConfig name must match the referenced MachineConfigPool name; can only have one MachineOSConfig per MachineConfigPool"
        }
       ],
       "properties": {
        "apiVersion": {
         "type": "string"
        },
        "kind": {
         "type": "string"
        },
        "metadata": {
         "type": "object"
        },
        "spec": {
         "type": "object",
         "required": [
          "imageBuilder",
          "machineConfigPool",
          "renderedImagePushSecret",
          "renderedImagePushSpec"
         ],
         "properties": {
          "machineConfigPool": {
           "type": "object",
           "required": [
            "name"
           ],
           "properties": {
            "name": {
             "type": "string",
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ],
             "minLength": 1
            }
           }
          },
          "imageBuilder": {
           "type": "object",
           "required": [
            "imageBuilderType"
           ],
           "properties": {
            "imageBuilderType": {
             "type": "string",
             "enum": [
              "Job"
             ]
            }
           }
          },
          "baseImagePullSecret": {
           "type": "object",
           "required": [
            "name"
           ],
           "properties": {
            "name": {
             "type": "string",
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ],
             "minLength": 1
            }
           },
           "description": "Secret in the operator's namespace; absent means a copy of the cluster's pull secret."
          },
          "renderedImagePushSecret": {
           "type": "object",
           "required": [
            "name"
           ],
           "properties": {
            "name": {
             "type": "string",
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ],
             "minLength": 1
            }
           }
          },
          "renderedImagePushSpec": {
           "type": "string",
           "minLength": 1,
           "maxLength": 447,
           "x-kubernetes-validations": [
            {
             "rule": "self.matches('^([a-zA-Z0-9-]+\\\\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?(/[a-zA-Z0-9-_]{1,61})*/[a-zA-Z0-9-_.]+:[a-zA-Z0-9._-]+$') || self.matches('^[^.]+\\\\.[^.]+\\\\.svc:\\\\d+\\\\/[^\\\\/]+\\\\/[^\\\\/]+:[^\\\\/]+$')",
             "message": "the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme. Or it must be a valid .svc followed by a port, repository, image name, and tag."
            }
           ]
          },
          "containerFile": {
           "type": "array",
           "minItems": 0,
           "maxItems": 4,
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "containerfileArch"
           ],
           "items": {
            "type": "object",
            "required": [
             "content"
            ],
            "properties": {
             "containerfileArch": {
              "type": "string",
              "enum": [
               "ARM64",
               "AMD64",
               "PPC64LE",
               "S390X",
               "NoArch"
              ],
              "default": "NoArch"
             },
             "content": {
              "type": "string",
              "maxLength": 4096
             }
            }
           }
          }
         }
        },
        "status": {
         "type": "object",
         "properties": {
          "conditions": {
           "type": "array",
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "type"
           ],
           "items": {
            "type": "object",
            "required": [
             "lastTransitionTime",
             "message",
             "reason",
             "status",
             "type"
            ],
            "properties": {
             "lastTransitionTime": {
              "type": "string",
              "format": "date-time"
             },
             "message": {
              "type": "string",
              "maxLength": 32768
             },
             "observedGeneration": {
              "type": "integer",
              "format": "int64",
              "minimum": 0
             },
             "reason": {
              "type": "string",
              "minLength": 1,
              "maxLength": 1024,
              "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"
             },
             "status": {
              "type": "string",
              "enum": [
               "True",
               "False",
               "Unknown"
              ]
             },
             "type": {
              "type": "string",
              "maxLength": 316,
              "pattern": "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
             }
            }
           }
          },
          "observedGeneration": {
           "type": "integer",
           "format": "int64",
           "minimum": 0,
           "x-kubernetes-validations": [
            {
             "rule": "self >= oldSelf",
             "message": "observedGeneration must not move backwards"
            }
           ]
          },
          "currentImagePullSpec": {
           "type": "string",
           "minLength": 1,
           "maxLength": 447,
           "x-kubernetes-validations": [
            {
             "rule": "self.split('@').size() == 2 && self.split('@')[1].matches('^sha256:[a-f0-9]{64}$')",
             "message": "the OCI Image reference must end with a valid '@sha256:<digest>' suffix, where '<digest>' is 64 characters long"
            },
            {
             "rule": "self.split('@')[0].matches('^([a-zA-Z0-9-]+\\\\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?$')",
             "message": "the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme"
            }
           ]
          },
          "machineOSBuild": {
           "type": "object",
           "required": [
            "group",
            "name",
            "resource"
           ],
           "properties": {
            "group": {
             "type": "string",
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ]
            },
            "resource": {
             "type": "string",
             "minLength": 1,
             "maxLength": 63,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1035Label().validate(self).hasValue()",
               "message": "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character"
              }
             ]
            },
            "namespace": {
             "type": "string",
             "minLength": 1,
             "maxLength": 63,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Label().validate(self).hasValue()",
               "message": "the value must consist of only lowercase alphanumeric characters and hyphens"
              }
             ]
            },
            "name": {
             "type": "string",
             "maxLength": 253,
             "x-kubernetes-validations": [
              {
               "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
               "message": "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
              }
             ],
             "minLength": 1
            }
           }
          }
         }
        }
       }
      }
     }
    }
   ]
  }
 },
 {
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {
   "name": "osimagestreams.machineconfiguration.openshift.io",
   "labels": {
    "openshift.io/operator-managed": ""
   }
  },
  "spec": {
   "group": "machineconfiguration.openshift.io",
   "names": {
    "kind": "OSImageStream",
    "listKind": "OSImageStreamList",
    "plural": "osimagestreams",
    "singular": "osimagestream"
   },
   "scope": "Cluster",
   "versions": [
    {
     "name": "v1",
     "served": true,
     "storage": true,
     "subresources": {
      "status": {}
     },
     "schema": {
      "openAPIV3Schema": {
       "description": "The OS images that pools can choose from by name; one object, named cluster.",
       "type": "object",
       "required": [
        "spec"
       ],
       "x-kubernetes-validations": [
        {
         "rule": "self.metadata.name == 'cluster'",
         "message": "osimagestream is a singleton, .metadata.name must be 'cluster'"
        },
        {
         "rule": "self.spec == oldSelf.spec || !has(self.status) || self.status.availableStreams.exists(s, s.name == self.spec.defaultStream)",
         "message": "spec.defaultStream must reference an existing stream name from status.availableStreams"
        }
       ],
       "properties": {
        "apiVersion": {
         "type": "string"
        },
        "kind": {
         "type": "string"
        },
        "metadata": {
         "type": "object"
        },
        "spec": {
         "type": "object",
         "required": [
          "defaultStream"
         ],
         "properties": {
          "defaultStream": {
           "type": "string",
           "minLength": 1,
           "maxLength": 253,
           "x-kubernetes-validations": [
            {
             "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
             "message": "a RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
            }
           ]
          }
         }
        },
        "status": {
         "type": "object",
         "required": [
          "availableStreams",
          "defaultStream"
         ],
         "x-kubernetes-validations": [
          {
           "rule": "self.availableStreams.exists(s, s.name == self.defaultStream)",
           "message": "defaultStream must reference a stream name from availableStreams"
          }
         ],
         "properties": {
          "availableStreams": {
           "type": "array",
           "minItems": 1,
           "maxItems": 100,
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "name"
           ],
           "items": {
            "type": "object",
            "required": [
             "name",
             "osExtensionsImage",
             "osImage"
            ],
            "properties": {
             "name": {
              "type": "string",
              "minLength": 1,
              "maxLength": 253,
              "x-kubernetes-validations": [
               {
                "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
                "message": "a RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
               }
              ]
             },
             "osExtensionsImage": {
              "type": "string",
              "minLength": 1,
              "maxLength": 447,
              "x-kubernetes-validations": [
               {
                "rule": "self.split('@').size() == 2 && self.split('@')[1].matches('^sha256:[a-f0-9]{64}$')",
                "message": "the OCI Image reference must end with a valid '@sha256:<digest>' suffix, where '<digest>' is 64 characters long"
               },
               {
                "rule": "self.split('@')[0].matches('^([a-zA-Z0-9-]+\\\\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?$')",
                "message": "the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme"
               }
              ]
             },
             "osImage": {
              "type": "string",
              "minLength": 1,
              "maxLength": 447,
              "x-kubernetes-validations": [
               {
                "rule": "self.split('@').size() == 2 && self.split('@')[1].matches('^sha256:[a-f0-9]{64}$')",
                "message": "the OCI Image reference must end with a valid '@sha256:<digest>' suffix, where '<digest>' is 64 characters long"
               },
               {
                "rule": "self.split('@')[0].matches('^([a-zA-Z0-9-]+\\\\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?$')",
                "message": "the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme"
               }
              ]
             }
            }
           }
          },
          "defaultStream": {
           "type": "string",
           "minLength": 1,
           "maxLength": 253,
           "x-kubernetes-validations": [
            {
             "rule": "!format.dns1123Subdomain().validate(self).hasValue()",
             "message": "a RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
            }
           ]
          }
         }
        }
       }
      }
     }
    }
   ]
  }
 },
 {
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {
   "name": "pinnedimagesets.machineconfiguration.openshift.io",
   "labels": {
    "openshift.io/operator-managed": ""
   }
  },
  "spec": {
   "group": "machineconfiguration.openshift.io",
   "names": {
    "kind": "PinnedImageSet",
    "listKind": "PinnedImageSetList",
    "plural": "pinnedimagesets",
    "singular": "pinnedimageset"
   },
   "scope": "Cluster",
   "versions": [
    {
     "name": "v1",
     "served": true,
     "storage": true,
     "schema": {
      "openAPIV3Schema": {
       "description": "Images, by digest, that nodes of a pool pull early and never garbage-collect.",
       "type": "object",
       "required": [
        "spec"
       ],
       "properties": {
        "apiVersion": {
         "type": "string"
        },
        "kind": {
         "type": "string"
        },
        "metadata": {
         "type": "object"
        },
        "spec": {
         "type": "object",
         "required": [
          "pinnedImages"
         ],
         "properties": {
          "pinnedImages": {
           "type": "array",
           "minItems": 1,
           "maxItems": 500,
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "name"
           ],
           "items": {
            "type": "object",
            "required": [
             "name"
            ],
            "properties": {
             "name": {
              "type": "string",
              "minLength": 1,
              "maxLength": 447,
              "x-kubernetes-validations": [
               {
                "rule": "self.split('@').size() == 2 && self.split('@')[1].matches('^sha256:[a-f0-9]{64}$')",
                "message": "the OCI Image reference must end with a valid '@sha256:<digest>' suffix, where '<digest>' is 64 characters long"
               },
               {
                "rule": "self.split('@')[0].matches('^([a-zA-Z0-9-]+\\\\.)+[a-zA-Z0-9-]+(:[0-9]{2,5})?/([a-zA-Z0-9-_]{0,61}/)?[a-zA-Z0-9-_.]*?$')",
                "message": "the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme"
               }
              ]
             }
            }
           }
          }
         }
        }
       }
      }
     }
    }
   ]
  }
 },
 {
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {
   "name": "poolrollouts.machineconfig.io"
  },
  "spec": {
   "group": "machineconfig.io",
   "names": {
    "kind": "PoolRollout",
    "listKind": "PoolRolloutList",
    "plural": "poolrollouts",
    "singular": "poolrollout"
   },
   "scope": "Cluster",
   "versions": [
    {
     "name": "v1alpha1",
     "served": true,
     "storage": true,
     "subresources": {
      "status": {}
     },
     "additionalPrinterColumns": [
      {
       "name": "Pool",
       "type": "string",
       "jsonPath": ".spec.pool"
      },
      {
       "name": "From",
       "type": "string",
       "jsonPath": ".spec.from"
      },
      {
       "name": "To",
       "type": "string",
       "jsonPath": ".spec.to"
      },
      {
       "name": "Phase",
       "type": "string",
       "jsonPath": ".status.phase"
      },
      {
       "name": "Updated",
       "type": "string",
       "jsonPath": ".status.updated"
      },
      {
       "name": "Age",
       "type": "date",
       "jsonPath": ".metadata.creationTimestamp"
      },
      {
       "name": "Reason",
       "type": "string",
       "jsonPath": ".status.conditions[?(@.type==\"Settled\")].reason"
      },
      {
       "name": "Message",
       "type": "string",
       "priority": 1,
       "jsonPath": ".status.conditions[?(@.type==\"Settled\")].message"
      }
     ],
     "schema": {
      "openAPIV3Schema": {
       "description": "One target of one pool: what changed, and how far its nodes are on the way. The newest of a pool is the rollout in progress, the others are its history.",
       "type": "object",
       "required": [
        "spec"
       ],
       "properties": {
        "apiVersion": {
         "type": "string"
        },
        "kind": {
         "type": "string"
        },
        "metadata": {
         "type": "object"
        },
        "spec": {
         "type": "object",
         "required": [
          "pool",
          "revision",
          "to"
         ],
         "x-kubernetes-validations": [
          {
           "rule": "self == oldSelf",
           "message": "a PoolRollout says what happened and cannot be changed; change the MachineConfigs, or pause the pool"
          }
         ],
         "properties": {
          "pool": {
           "type": "string",
           "minLength": 1,
           "maxLength": 253
          },
          "revision": {
           "description": "Counts the targets of the pool. The object's name is POOL-REVISION.",
           "type": "integer",
           "format": "int64",
           "minimum": 1
          },
          "from": {
           "description": "The rendered config that was the target before; absent for the first one.",
           "type": "string",
           "maxLength": 253
          },
          "to": {
           "description": "The rendered config that the nodes are to have.",
           "type": "string",
           "minLength": 1,
           "maxLength": 253
          },
          "fragments": {
           "description": "The MachineConfigs that merge to it, in their order.",
           "type": "array",
           "maxItems": 2000,
           "x-kubernetes-list-type": "atomic",
           "items": {
            "type": "object",
            "required": [
             "name",
             "digest"
            ],
            "properties": {
             "name": {
              "type": "string",
              "maxLength": 253
             },
             "digest": {
              "description": "SHA-256 of what the fragment says; its copy is kept under this name.",
              "type": "string",
              "maxLength": 64
             },
             "generation": {
              "type": "integer",
              "format": "int64"
             }
            }
           }
          },
          "change": {
           "description": "What is different from the revision before.",
           "type": "object",
           "properties": {
            "added": {
             "type": "array",
             "maxItems": 2000,
             "x-kubernetes-list-type": "atomic",
             "items": {
              "type": "object",
              "required": [
               "name"
              ],
              "properties": {
               "name": {
                "type": "string",
                "maxLength": 253
               },
               "generation": {
                "type": "integer",
                "format": "int64"
               },
               "changedBy": {
                "type": "string",
                "maxLength": 253
               },
               "changedAt": {
                "type": "string",
                "format": "date-time"
               }
              }
             }
            },
            "removed": {
             "type": "array",
             "maxItems": 2000,
             "x-kubernetes-list-type": "atomic",
             "items": {
              "type": "object",
              "required": [
               "name"
              ],
              "properties": {
               "name": {
                "type": "string",
                "maxLength": 253
               },
               "generation": {
                "type": "integer",
                "format": "int64"
               },
               "changedBy": {
                "type": "string",
                "maxLength": 253
               },
               "changedAt": {
                "type": "string",
                "format": "date-time"
               }
              }
             }
            },
            "modified": {
             "type": "array",
             "maxItems": 2000,
             "x-kubernetes-list-type": "atomic",
             "items": {
              "type": "object",
              "required": [
               "name"
              ],
              "properties": {
               "name": {
                "type": "string",
                "maxLength": 253
               },
               "generation": {
                "type": "integer",
                "format": "int64"
               },
               "changedBy": {
                "type": "string",
                "maxLength": 253
               },
               "changedAt": {
                "type": "string",
                "format": "date-time"
               }
              }
             }
            },
            "system": {
             "description": "OS image, kernel, kernel arguments, extensions and FIPS mode, where they change.",
             "type": "array",
             "maxItems": 20,
             "x-kubernetes-list-type": "atomic",
             "items": {
              "type": "string",
              "maxLength": 2000
             }
            }
           }
          }
         }
        },
        "status": {
         "type": "object",
         "properties": {
          "phase": {
           "type": "string",
           "enum": [
            "Waiting",
            "Paused",
            "Progressing",
            "Blocked",
            "Complete",
            "Superseded",
            "Reverted"
           ]
          },
          "observedGeneration": {
           "type": "integer",
           "format": "int64",
           "minimum": 0
          },
          "startedAt": {
           "description": "When the first node was sent to the target.",
           "type": "string",
           "format": "date-time"
          },
          "completedAt": {
           "type": "string",
           "format": "date-time"
          },
          "updated": {
           "description": "Nodes that have the target, of all, as 3/5.",
           "type": "string"
          },
          "counts": {
           "type": "object",
           "properties": {
            "machines": {
             "type": "integer",
             "format": "int32",
             "minimum": 0
            },
            "updated": {
             "type": "integer",
             "format": "int32",
             "minimum": 0
            },
            "unavailable": {
             "type": "integer",
             "format": "int32",
             "minimum": 0
            },
            "degraded": {
             "type": "integer",
             "format": "int32",
             "minimum": 0
            },
            "waiting": {
             "type": "integer",
             "format": "int32",
             "minimum": 0
            }
           }
          },
          "nodes": {
           "description": "At most 1000, those that are not done first.",
           "type": "array",
           "maxItems": 1000,
           "x-kubernetes-list-type": "atomic",
           "items": {
            "type": "object",
            "required": [
             "name",
             "phase"
            ],
            "properties": {
             "name": {
              "type": "string",
              "maxLength": 253
             },
             "phase": {
              "type": "string",
              "enum": [
               "Waiting",
               "Draining",
               "Updating",
               "Rebooting",
               "Uncordoning",
               "Degraded",
               "Unreconcilable",
               "Unmanaged",
               "Done"
              ]
             },
             "phaseSince": {
              "type": "string",
              "format": "date-time"
             },
             "batch": {
              "type": "integer",
              "format": "int32",
              "minimum": 1
             },
             "startedAt": {
              "type": "string",
              "format": "date-time"
             },
             "finishedAt": {
              "type": "string",
              "format": "date-time"
             },
             "seconds": {
              "description": "How long it was in each phase that has ended.",
              "type": "object",
              "additionalProperties": {
               "type": "integer",
               "format": "int32"
              }
             }
            }
           }
          },
          "omittedNodes": {
           "type": "integer",
           "format": "int32",
           "minimum": 0
          },
          "batches": {
           "description": "Nodes that were sent to the target together; the newest hundred.",
           "type": "array",
           "maxItems": 100,
           "x-kubernetes-list-type": "atomic",
           "items": {
            "type": "object",
            "required": [
             "number",
             "nodes",
             "startedAt"
            ],
            "properties": {
             "number": {
              "type": "integer",
              "format": "int32",
              "minimum": 1
             },
             "nodes": {
              "type": "integer",
              "format": "int32",
              "minimum": 0
             },
             "startedAt": {
              "type": "string",
              "format": "date-time"
             }
            }
           }
          },
          "blockers": {
           "description": "Why it does not go on, most important first.",
           "type": "array",
           "maxItems": 50,
           "x-kubernetes-list-type": "atomic",
           "items": {
            "type": "object",
            "required": [
             "code",
             "severity",
             "subject",
             "what"
            ],
            "properties": {
             "code": {
              "type": "string",
              "maxLength": 100
             },
             "severity": {
              "type": "string",
              "enum": [
               "info",
               "warning",
               "critical"
              ]
             },
             "subject": {
              "description": "As the command line names it, node/NAME or mcp/NAME or mc/NAME.",
              "type": "string",
              "maxLength": 300
             },
             "since": {
              "type": "string",
              "maxLength": 40
             },
             "what": {
              "type": "string",
              "maxLength": 4096
             },
             "why": {
              "type": "string",
              "maxLength": 4096
             },
             "remedy": {
              "type": "string",
              "maxLength": 4096
             }
            }
           }
          },
          "estimate": {
           "description": "When it will probably be over; absent while nothing was measured.",
           "type": "object",
           "required": [
            "remainingSeconds",
            "secondsPerNode",
            "basis"
           ],
           "properties": {
            "remainingSeconds": {
             "type": "integer",
             "format": "int64",
             "minimum": 0
            },
            "secondsPerNode": {
             "type": "integer",
             "format": "int64",
             "minimum": 0
            },
            "basis": {
             "type": "string",
             "maxLength": 300
            }
           }
          },
          "conditions": {
           "type": "array",
           "maxItems": 20,
           "x-kubernetes-list-type": "map",
           "x-kubernetes-list-map-keys": [
            "type"
           ],
           "items": {
            "type": "object",
            "required": [
             "lastTransitionTime",
             "message",
             "reason",
             "status",
             "type"
            ],
            "properties": {
             "lastTransitionTime": {
              "type": "string",
              "format": "date-time"
             },
             "message": {
              "type": "string",
              "maxLength": 32768
             },
             "observedGeneration": {
              "type": "integer",
              "format": "int64",
              "minimum": 0
             },
             "reason": {
              "type": "string",
              "minLength": 1,
              "maxLength": 1024,
              "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"
             },
             "status": {
              "type": "string",
              "enum": [
               "True",
               "False",
               "Unknown"
              ]
             },
             "type": {
              "type": "string",
              "maxLength": 316,
              "pattern": "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
             }
            }
           }
          }
         }
        }
       }
      }
     }
    }
   ]
  }
 }
]
