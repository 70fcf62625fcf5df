package dev.waybill.servicebus.embedded.mailbox;

import dev.waybill.servicebus.embedded.journal.Journals;
import dev.waybill.servicebus.embedded.loop.BrokerClock;
import dev.waybill.servicebus.embedded.loop.EventLoop;

public record BrokerContext(EventLoop loop, Journals journals, Limits limits) {
    public BrokerClock clock() {
        return loop.clock();
    }
}
