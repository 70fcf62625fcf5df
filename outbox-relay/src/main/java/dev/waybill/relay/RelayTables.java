package dev.waybill.relay;

/**
 * What a turn needs of the database.
 *
 * @param pageRows most rows per lane and read
 */
record RelayTables(
        OutboxReader reader,
        ProgressTable progress,
        OutboxHistory history,
        OutboxHolds holds,
        SuspicionTable suspicions,
        int pageRows) {}
