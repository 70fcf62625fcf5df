/**
 * Authentication and authorization of the console, and the checks of every request.
 *
 * <pre>
 *   request ──▶ RequestCheck ──▶ Access ───────────▶ Routes ────────────▶ a page
 *               host, method,    session, proxy,     role in the
 *               origin, path     users file          database, CSRF token
 * </pre>
 *
 * <p>Each route declares the role that it needs. Every request looks up the rights again. Pages read with the viewer's login in
 * read-only transactions; changes use the operator's login.
 */
@NullMarked
package dev.waybill.standalone.console.access;

import org.jspecify.annotations.NullMarked;
