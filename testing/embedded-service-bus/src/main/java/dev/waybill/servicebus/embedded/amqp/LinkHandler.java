package dev.waybill.servicebus.embedded.amqp;

import org.apache.qpid.proton.engine.Delivery;

interface LinkHandler {
    /** The client changed the link's credit, or requests a drain. */
    default void flow() {}

    /** A transfer, a part of one, or a changed delivery state has arrived. */
    default void delivery(Delivery delivery) {}

    /** Called once at the link's end, whichever side closed it. */
    default void closed() {}
}
