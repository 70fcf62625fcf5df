@NullMarked
package dev.waybill.servicebus.embedded.filter;

import org.jspecify.annotations.NullMarked;
