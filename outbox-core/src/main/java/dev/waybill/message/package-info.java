/** The content of messages, and the names and limits on which writers, relays and consumers agree. */
@NullMarked
package dev.waybill.message;

import org.jspecify.annotations.NullMarked;
