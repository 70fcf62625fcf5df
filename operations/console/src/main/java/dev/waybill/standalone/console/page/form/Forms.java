package dev.waybill.standalone.console.page.form;

import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import io.javalin.http.Context;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads bounded parameters and fields of requests. */
public final class Forms {
    private static final int LONGEST_REASON = 500;

    private Forms() {}

    public static String parameter(Context request, String name) {
        @Nullable String value = request.queryParam(name);
        return value == null ? "" : value;
    }

    public static String field(Context request, String name) {
        List<String> values = request.formParams(name);
        if (values.size() != 1) {
            throw new Refusal(400, "The form is incomplete: " + name + ".");
        }
        return values.get(0);
    }

    /** The operator and the reason. */
    public static AuditContext instruction(Context request, SignedInRequest visit) {
        String reason = field(request, "reason").strip();
        if (reason.isEmpty()) {
            throw new Refusal(400, "Give a reason for the audit.");
        }
        if (reason.length() > LONGEST_REASON) {
            throw new Refusal(400, "The reason has more than " + LONGEST_REASON + " characters.");
        }
        return new AuditContext(visit.person().name(), reason);
    }

    /** A number that this console produced. */
    public static long number(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new Refusal(400, "This is no number: " + Formats.INSTANCE.beginning(text));
        }
        return Long.parseLong(text);
    }

    /** A number of a request; an empty text means the preset. */
    public static long number(String text, String preset) {
        String given = text.isEmpty() ? preset : text;
        if (!given.matches("[0-9]{1,18}")) {
            throw new Refusal(400, "A number is missing in the address or the form.");
        }
        return Long.parseLong(given);
    }
}
