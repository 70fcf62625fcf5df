/** A consumer's settings, as checked by its builder: immutable values for every package. */
@NullMarked
package dev.waybill.inbox.settings;

import org.jspecify.annotations.NullMarked;
