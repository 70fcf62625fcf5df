package dev.waybill.servicebus.embedded.management;

import dev.waybill.servicebus.embedded.mailbox.Requester;

/** One thing a management node can do. */
@FunctionalInterface
interface Operation {
    /** Does it for the client that asks, or throws the refusal. */
    Reply run(Arguments arguments, Requester by);
}
