package dev.waybill.servicebus.embedded.amqp;

import org.apache.qpid.proton.engine.Delivery;

/** Handles the frames of one link. */
interface LinkHandler {
    /** The client has changed the link's credit, or asks to drain it. */
    default void flow() {}

    /** A transfer, a part of one, or a change of a delivery's state has arrived. */
    default void delivery(Delivery delivery) {}

    /** The link is gone, by whoever's doing. Called once. */
    default void closed() {}
}
