package dev.waybill.deadletter.store;

/**
 * Commits that are on the disk when they return, also where the server or the role has {@code synchronous_commit = off}: what
 * a crash of the server takes back is not on the broker any more, or was reported as erased.
 */
public final class Durable {
    /**
     * As part of a statement's select list: the transaction's commit waits for the disk. For standbys it waits only where the
     * session does anyhow.
     */
    public static final String COMMIT = "set_config('synchronous_commit', case current_setting('synchronous_commit')"
            + " when 'off' then 'local' else current_setting('synchronous_commit') end, true)";

    private Durable() {}
}
