/**
 * What pages of several subjects share: form fields, formats of numbers and times, and the editor of a message with
 * its diff.
 * This package imports no page.
 */
@NullMarked
package dev.waybill.standalone.console.page.form;

import org.jspecify.annotations.NullMarked;
