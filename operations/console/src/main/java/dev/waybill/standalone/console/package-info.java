/**
 * The operators' console in a browser, off by default. Jetty serves it beside the relays or in its own process.
 *
 * <pre>
 *   Console ──▶ access   who may do what
 *           ──▶ page     the pages
 *           ──▶ api      the same as JSON
 *           ──▶ view     templates and files
 * </pre>
 */
@NullMarked
package dev.waybill.standalone.console;

import org.jspecify.annotations.NullMarked;
