-- Closes those of the next messages of a run that are open. Parameters: the first and the last place on the page; the run and
-- the page.
--
-- Rows are locked by id, as operators lock them who decide about many letters.
with locked as (
  select s.id, i.place
  from waybill.dead_letter_redrive_page p
  cross join lateral unnest(p.dead_letters[?:?]) with ordinality as i(id, place)
  join waybill.dead_letter_state s on s.id = i.id
  where p.redrive = ? and p.page = ? and s.state = 'open'
  order by s.id
  for update of s
)
update waybill.dead_letter_state s
set state = 'redriven', changed_at = clock_timestamp()
from locked l where s.id = l.id
returning s.id, l.place
