/**
 * Converts messages to and from the Azure SDK, including AMQP types that Java lacks, and buffers received messages.
 *
 * <pre>
 *   outbox-relay:   Publisher ◀── publisher ──┐
 *                                              ├──▶ servicebus ──▶ Azure SDK
 *   inbox-consumer: Receiver  ◀── receiver ───┘
 * </pre>
 *
 * <p>Applications need only the packages {@code publisher} and {@code receiver}.
 */
@NullMarked
package dev.waybill.servicebus;

import org.jspecify.annotations.NullMarked;
