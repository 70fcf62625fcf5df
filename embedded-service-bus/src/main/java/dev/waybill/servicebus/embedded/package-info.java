@NullMarked
package dev.waybill.servicebus.embedded;

import org.jspecify.annotations.NullMarked;
