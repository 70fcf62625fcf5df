/** The settings of a consumer, as its builder has checked them: immutable values that every room may read. */
@NullMarked
package dev.waybill.inbox.settings;

import org.jspecify.annotations.NullMarked;
