/** The audit rows of actions on dead letters: ids, states and digests, but no content that an erasure would have to remove. */
@NullMarked
package dev.waybill.deadletter.audit;

import org.jspecify.annotations.NullMarked;
