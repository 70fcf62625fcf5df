/**
 * Documents of archived letters, in a table or in a store outside the database, and the way back.
 *
 * <p>The row of a letter stays without its body, which the document has. A store takes no part in the transaction: documents are
 * stored before the commit, and removed after a restore.
 */
@NullMarked
package dev.waybill.deadletter.archive;

import org.jspecify.annotations.NullMarked;
