/**
 * The relay of a service whose tenants have a database each. One thread takes them in turn:
 *
 * <pre>
 *   TenantRelays ── the tenant that is due first ──► TenantRelay.run()
 *                                                      look      one query: is a message due, or when?
 *                                                      publish   if so: a relay claims, publishes, releases
 *                                                      rest      doubles while nothing is due
 *   TenantTransactions ── after a commit ──► the tenant of that database is due now
 * </pre>
 *
 * <p>Between its turns a tenant has no lease, no heartbeat and no connection. A turn has one connection at a time. A turn that takes
 * longer than two seconds, such as one that waits for its database, goes on by itself.
 */
@NullMarked
package dev.waybill.spring.tenants;

import org.jspecify.annotations.NullMarked;
