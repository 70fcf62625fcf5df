/**
 * The verbs of {@code dlq}: list, show, edit, re-drive, discard, archive, redact, export and import.
 * Verbs that change many dead letters extend one base class. It counts the letters first, asks for a confirmation, and
 * leaves out letters that arrive or change later.
 */
@NullMarked
package dev.waybill.standalone.cli.deadletter;

import org.jspecify.annotations.NullMarked;
