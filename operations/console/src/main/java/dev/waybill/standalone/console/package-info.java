/**
 * The operators' console in a browser: served by Jetty beside the relays, or by a process of its own. Off by default.
 *
 * <pre>
 *   Console ──▶ access   who may do what
 *           ──▶ page     what is shown and done
 *           ──▶ view     templates and files
 * </pre>
 */
@NullMarked
package dev.waybill.standalone.console;

import org.jspecify.annotations.NullMarked;
