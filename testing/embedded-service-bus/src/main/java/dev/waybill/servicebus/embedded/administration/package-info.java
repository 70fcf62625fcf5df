/**
 * Administration over HTTP: entities as Atom entries in Service Bus's XML. HTTP threads read and write requests; the broker's thread
 * changes the entities.
 */
@NullMarked
package dev.waybill.servicebus.embedded.administration;

import org.jspecify.annotations.NullMarked;
