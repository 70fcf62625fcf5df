package dev.waybill.relay;

import dev.waybill.relay.Page.Sight;

/**
 * Where a lane's rows of a page come from, so that late rows can be gone on with where they were left. Immutable.
 *
 * @param from the cursor that the page was read from; the lane goes on from it until all late rows have met their fate
 * @param sight what the read saw; late rows are those that this sees and the cursor does not
 * @param lateReached late rows with values up to here have met their fate; 0 if none has
 */
record PageOrigin(Cursor from, Sight sight, long lateReached) {}
