/** For the kit itself: the only place that knows the Azure client. */
@NullMarked
package dev.waybill.test.servicebus;

import org.jspecify.annotations.NullMarked;
