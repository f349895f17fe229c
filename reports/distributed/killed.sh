#!/usr/bin/env bash
# killed.sh NONET FOLDER (needs nats-server)
#
# Makes a training run, a rollout and a series of matches on threads, and again on three workers.
# Every ten seconds one worker is killed (SIGKILL) and replaced. Are the bytes the same?
set -euo pipefail
nonet=$1 folder=$2 port=${PORT:-47300}
mkdir -p "$folder"
rm -f "$folder/ids" "$folder/kills"
server=$(command -v nats-server || echo /usr/sbin/nats-server)
"$server" -a 127.0.0.1 -p "$port" -js -sd "$folder/store" >"$folder/server.log" 2>&1 &
server_id=$!
url=nats://127.0.0.1:$port
workers=()
begin() {
  "$nonet" worker --nats "$url" --threads 1 --name "worker-$1" 2>>"$folder/workers.log" &
  workers+=($!)
  echo $! >>"$folder/ids"
}
end() { xargs kill -9 <"$folder/ids" 2>/dev/null || true; kill "$server_id" 2>/dev/null || true; }
trap end EXIT
sleep 1
for n in 1 2 3; do begin "$n"; done
killer() {
  # The oldest of three is killed, a new one comes.
  local n=3
  while sleep 10; do
    kill -9 "${workers[0]}" 2>/dev/null || true
    workers=("${workers[@]:1}")
    n=$((n + 1))
    begin "$n"
    echo "$n" >"$folder/kills"
  done
}
killer &
killer_id=$!
trap 'kill "$killer_id" 2>/dev/null || true; end' EXIT

train="train --preset small --method rootstrap --games ${GAMES:-1200} --batch 100 --eval-every 600 --eval-at 0 --eval-games 400 --final-games 400 --seed 7"
rollout="rollout 4HPwATDgc/ABMA 31 --games ${TRIALS:-1296} --plays 3 --net ${NET:-built-in}"
match="eval nets/small.nonet --against nets/expert.nonet --match 3 --ply 2 --games ${MATCHES:-20} --seed 5 --json"

# GAMES=0: the other two alone.
if [ "${GAMES:-1200}" -gt 0 ]; then
"$nonet" $train --out "$folder/here" >"$folder/here.txt" 2>&1
"$nonet" $train --out "$folder/there" --nats "$url" >"$folder/there.txt" 2>&1
for net in last best average; do
  cmp "$folder/here/$net.nonet" "$folder/there/$net.nonet" && echo "train, $net.nonet: same bytes"
done
tail -1 "$folder/there.txt"
fi
for work in rollout match; do
  "$nonet" ${!work} 2>/dev/null | sed -E 's/"(games|matches)_per_second":[0-9.e+-]+,//; s/[0-9.]+ s\b//' >"$folder/$work.here"
  "$nonet" ${!work} --nats "$url" 2>"$folder/$work.err" | sed -E 's/"(games|matches)_per_second":[0-9.e+-]+,//; s/[0-9.]+ s\b//' >"$folder/$work.there"
  cmp "$folder/$work.here" "$folder/$work.there" && echo "$work: same text"
  tail -1 "$folder/$work.err"
done
echo "workers killed: $(($(cat "$folder/kills" 2>/dev/null || echo 3) - 3))"
