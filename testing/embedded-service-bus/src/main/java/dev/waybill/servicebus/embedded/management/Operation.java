package dev.waybill.servicebus.embedded.management;

import dev.waybill.servicebus.embedded.mailbox.Requester;

@FunctionalInterface
interface Operation {
    Reply run(Arguments arguments, Requester by);
}
