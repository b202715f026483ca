import { ObjectReference } from './coreSchemas.ts'
import { kindSchema, microTime, time } from './metaSchemas.ts'
import { define, int32, ref, str } from './schemaBuilder.ts'

/** Schemas of the two forms of events (Kubernetes API reference, core/v1 and events.k8s.io/v1 Event). */
const core = 'io.k8s.api.core.v1.'
const events = 'io.k8s.api.events.v1.'

const EventSource = define(`${core}EventSource`, 'Who reported.', {
  component: str('Component that reported.'),
  host: str('Host of the component.'),
})
const series = (prefix: string, zeroed: readonly string[]) =>
  define(
    `${prefix}EventSeries`,
    'Repetitions of the event.',
    { count: int32('How often it happened.'), lastObservedTime: microTime('When it last happened.') },
    { zeroed },
  )

export const Event = kindSchema(
  core,
  'Something that happened to an object.',
  {
    action: str('What was done.'),
    count: int32('How often it happened.'),
    eventTime: microTime('When it first happened.'),
    firstTimestamp: time('When it first happened.'),
    involvedObject: ref(ObjectReference, 'The object that it happened to.'),
    lastTimestamp: time('When it last happened.'),
    message: str('Details for people.'),
    reason: str('One word for programs.'),
    related: ref(ObjectReference, 'A second object.'),
    reportingComponent: str('Controller that reported.'),
    reportingInstance: str('Instance of the controller.'),
    series: ref(series(core, []), 'Repetitions.'),
    source: ref(EventSource, 'Who reported.'),
    type: str('Normal or Warning.'),
  },
  { group: '', version: 'v1', kind: 'Event' },
)

export const EventsEvent = kindSchema(
  events,
  'Something that happened to an object.',
  {
    action: str('What was done.'),
    deprecatedCount: int32('How often it happened.'),
    deprecatedFirstTimestamp: time('When it first happened.'),
    deprecatedLastTimestamp: time('When it last happened.'),
    deprecatedSource: ref(EventSource, 'Who reported.'),
    eventTime: microTime('When it first happened.'),
    note: str('Details for people.'),
    reason: str('One word for programs.'),
    regarding: ref(ObjectReference, 'The object that it happened to.'),
    related: ref(ObjectReference, 'A second object.'),
    reportingController: str('Controller that reported.'),
    reportingInstance: str('Instance of the controller.'),
    series: ref(series(events, ['count', 'lastObservedTime']), 'Repetitions.'),
    type: str('Normal or Warning.'),
  },
  { group: 'events.k8s.io', version: 'v1', kind: 'Event' },
)
