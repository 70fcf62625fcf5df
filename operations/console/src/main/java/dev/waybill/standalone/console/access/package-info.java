/**
 * The rights of people in the console, and the checks of every request.
 *
 * <pre>
 *   request ──▶ Gate ──────────▶ Access ───────────▶ Routes ────────────▶ a page
 *               host, method,    session, proxy,     role in the
 *               origin, path     users file          database, CSRF token
 * </pre>
 *
 * <p>A route exists only with the role that it needs. Rights are looked up with each request and never kept in a
 * session. Pages read as the database's viewer, in transactions that cannot write; changes are made as its operator.
 */
@NullMarked
package dev.waybill.standalone.console.access;

import org.jspecify.annotations.NullMarked;
