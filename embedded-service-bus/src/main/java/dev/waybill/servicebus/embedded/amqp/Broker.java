package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.fault.Faults;
import dev.waybill.servicebus.embedded.loop.EventLoop;

/** What every connection shares. */
public record Broker(EventLoop loop, Namespace namespace, Faults faults) {}
