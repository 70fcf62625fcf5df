package dev.waybill.standalone.servicebus;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.exception.ResourceNotFoundException;
import java.util.Locale;

/** The result of a change, with the error of the namespace. */
public record WriteResult(Result result, String why) {
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;

    static WriteResult by(Runnable change) {
        try {
            change.run();
            return new WriteResult(Result.DONE, "");
        } catch (ResourceNotFoundException e) {
            return new WriteResult(Result.CHANGED_MEANWHILE, "it is not there");
        } catch (HttpResponseException e) {
            return of(e.getResponse() == null ? 0 : e.getResponse().getStatusCode(), Entities.rootMessage(e));
        } catch (RuntimeException e) {
            return new WriteResult(Result.SILENT, Entities.rootMessage(e));
        }
    }

    private static WriteResult of(int status, String why) {
        if (status == UNAUTHORIZED || status == FORBIDDEN) {
            return new WriteResult(
                    Result.REFUSED,
                    "changing entities needs the role Azure Service Bus Data Owner (" + status + "): " + why);
        }
        // Service Bus may answer the deletion of a missing entity with a bad request.
        boolean gone = status == BAD_REQUEST && why.toLowerCase(Locale.ROOT).contains("subcode=40401");
        if (status == CONFLICT || gone) {
            return new WriteResult(Result.CHANGED_MEANWHILE, why);
        }
        boolean again = status == TOO_MANY || status > 499;
        return new WriteResult(again ? Result.BUSY : Result.REFUSED, why);
    }

    public enum Result {
        DONE,
        /** A concurrent change won: read again. */
        CHANGED_MEANWHILE,
        /** Throttled or busy: retry later. */
        BUSY,
        /** A retry would fail as well. */
        REFUSED,
        /** No answer; the change may have happened. */
        SILENT
    }
}
