@NullMarked
package dev.waybill.inbox;

import org.jspecify.annotations.NullMarked;
