/** Dead letters. */
@NullMarked
package dev.waybill.deadletter;

import org.jspecify.annotations.NullMarked;
