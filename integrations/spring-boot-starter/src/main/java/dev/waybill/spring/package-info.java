/** Waybill in Spring: transactions. */
@NullMarked
package dev.waybill.spring;

import org.jspecify.annotations.NullMarked;
