@org.jspecify.annotations.NullMarked
package dev.waybill.servicebus.embedded.amqp;
