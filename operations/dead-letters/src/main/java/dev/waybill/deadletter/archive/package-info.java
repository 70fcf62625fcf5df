/**
 * Documents of archived letters, in the table or in a store outside the database, and the way back.
 *
 * <ol>
 *   <li>The row of a letter stays in the tables without its body. The document has the body.
 *   <li>The table is always reached; a store outside only by calls that were given it.
 *   <li>A store outside takes no part in the transaction: documents are stored before the commit, and removed after a restore.
 * </ol>
 */
@NullMarked
package dev.waybill.deadletter.archive;

import org.jspecify.annotations.NullMarked;
