package dev.waybill.servicebus.embedded.management;

/** One thing a management node can do. */
@FunctionalInterface
interface Operation {
    /** Does it, or throws the refusal. */
    Reply run(Arguments arguments);
}
