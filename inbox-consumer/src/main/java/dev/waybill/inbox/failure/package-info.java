/** Describes failures, and tells errors of the database apart. Depends on no other package of the inbox. */
@NullMarked
package dev.waybill.inbox.failure;

import org.jspecify.annotations.NullMarked;
