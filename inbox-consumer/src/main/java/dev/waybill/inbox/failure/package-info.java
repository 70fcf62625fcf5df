/** Classifies and describes failures. Depends on nothing of the inbox but its API. */
@NullMarked
package dev.waybill.inbox.failure;

import org.jspecify.annotations.NullMarked;
