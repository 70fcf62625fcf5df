package dev.waybill.hold;

/**
 * On whose word something is done, for the audit.
 *
 * @param operator a person or a job
 * @param reason what the next person should know
 */
public record AuditContext(String operator, String reason) {
    /** Refuses an instruction without a name or a reason. */
    public AuditContext {
        if (operator.isBlank() || reason.isBlank()) {
            throw new IllegalArgumentException("An operator gives a name and a reason");
        }
    }
}
