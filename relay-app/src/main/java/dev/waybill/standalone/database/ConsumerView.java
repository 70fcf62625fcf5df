package dev.waybill.standalone.database;

/**
 * A consumer as the database knows it.
 *
 * @param alive whether one of its processes has said so in time
 * @param heldSessions sessions and single messages on hold
 * @param heldMessages messages on hold
 * @param deferred deferred messages, counted up to 50,000
 * @param forgotten those of them that have lain for a day, and nobody has asked for
 */
public record ConsumerView(
        String name, boolean alive, long heldSessions, long heldMessages, long deferred, long forgotten) {}
