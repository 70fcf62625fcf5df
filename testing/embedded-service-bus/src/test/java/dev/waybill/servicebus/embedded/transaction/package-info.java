@org.jspecify.annotations.NullMarked
package dev.waybill.servicebus.embedded.transaction;
