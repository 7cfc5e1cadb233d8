"""Outlines that are expected of languages of scripts, and functional ones."""

from tests.chunking.code.expected import Expected

SCRIPTS: dict[str, Expected] = {
    "bash": (
        """\
#!/bin/bash
source lib.sh
. "other.sh"
LIMIT=1
readonly SIZE=2
export OUT=3
for each in a; do LOOPED=1; done
run() { local x=1; LOCAL=2; }
function main { inner() { :; }; }
ONCE=1 run
""",
        [
            ("lib.sh", "import", 2),
            ("other.sh", "import", 3),
            ("LIMIT", "constant", 4),
            ("SIZE", "constant", 5),
            ("OUT", "constant", 6),
            ("run", "function", 8),
            ("main", "function", 9),
            ("main.inner", "function", 9),
        ],
    ),
    "elixir": (
        """\
defmodule Shop.Cart do
  use GenServer
  alias Shop.Ware
  @limit 1
  @doc "Says."
  @spec total(integer) :: integer
  def total(a) when a > 1 do
    fn x -> x end
  end
  defp pay, do: 1
  defmacro twice(x) do end
  defstruct [:n]
  @type t :: integer
  def a <> b, do: 1
end
defprotocol Shape do
  def area(a)
end
defimpl Shape, for: Cart do
  def area(a), do: 1
end
""",
        [
            ("Shop.Cart", "module", 1),
            ("Shop.Cart.GenServer", "import", 2),
            ("Shop.Cart.Shop.Ware", "import", 3),
            ("Shop.Cart.limit", "constant", 4),
            ("Shop.Cart.total", "function", 5),
            ("Shop.Cart.pay", "function", 10),
            ("Shop.Cart.twice", "function", 11),
            ("Shop.Cart.defstruct", "constant", 12),
            ("Shop.Cart.t", "constant", 13),
            ("Shop.Cart.<>", "function", 14),
            ("Shape", "class", 16),
            ("Shape.area", "method", 17),
            ("Shape", "class", 19),
            ("Shape.area", "method", 20),
        ],
    ),
    "haskell": (
        """\
module Shop (total) where
import Data.List
data Cart = A | B { n :: Int } deriving Show
newtype Id = Id Int
type Row = [Int]
class Shape a where
  area :: a -> Int
  area _ = 1
instance Shape Cart where
  area A = 1
  area B = 2
total :: Int -> Int
total 0 = 1
-- Between.
total n = go n
  where go x = x
limit :: Int
limit = 3
x <+> y = x
main :: IO ()
main = print 1
""",
        [
            ("Data.List", "import", 2),
            ("Cart", "class", 3),
            ("Id", "class", 4),
            ("Row", "constant", 5),
            ("Shape", "class", 6),
            ("Shape.area", "method", 7),
            ("Shape Cart", "class", 9),
            ("Shape Cart.area", "method", 10),
            ("total", "function", 12),
            ("total.go", "function", 16),
            ("limit", "constant", 17),
            ("<+>", "function", 19),
            ("main", "function", 20),
        ],
    ),
    "js": (
        """\
import a from "b";
export * from "c";
const { d } = require("e");
export default class Cart extends Base {
  static size = 1;
  add = (ware) => ware;
  get total() { return 0; }
}
export const total = async (x) => {
  function inner() {}
  const local = 1;
  call({ success() {}, fail: () => 1 });
};
let one = 1, two = function () {};
exports.run = function () {};
Cart.prototype.pay = function () {};
module.exports = { k() {}, l: () => 1, m: 2 };
for (const each of []) { const looped = 1; }
function* count() {}
""",
        [
            ("b", "import", 1),
            ("c", "import", 2),
            ("e", "import", 3),
            ("Cart", "class", 4),
            ("Cart.size", "constant", 5),
            ("Cart.add", "method", 6),
            ("Cart.total", "method", 7),
            ("total", "function", 9),
            ("total.inner", "function", 10),
            ("one", "constant", 14),
            ("two", "function", 14),
            ("run", "function", 15),
            ("Cart.pay", "method", 16),
            ("exports", "constant", 17),
            ("exports.k", "function", 17),
            ("exports.l", "function", 17),
            ("count", "function", 19),
        ],
    ),
    "julia": (
        """\
module Shop
using A, B
const LIMIT = 1
abstract type Shape end
struct Cart{T} <: Shape
  n::Int
  Cart(n) = new(n)
end
function total(a::Int)
  inner(x) = x
  loc = 1
end
area(x)::Int = 1
macro twice(x) end
function Base.show(io) where T end
@inline function quick() end
end
""",
        [
            ("Shop", "module", 1),
            ("Shop.A, B", "import", 2),
            ("Shop.LIMIT", "constant", 3),
            ("Shop.Shape", "class", 4),
            ("Shop.Cart", "class", 5),
            ("Shop.Cart.Cart", "method", 7),
            ("Shop.total", "function", 9),
            ("Shop.total.inner", "function", 10),
            ("Shop.area", "function", 13),
            ("Shop.twice", "function", 14),
            ("Shop.Base.show", "function", 15),
            ("Shop.quick", "function", 16),
        ],
    ),
    "lua": (
        """\
local M = {}
local json = require("json")
Global = 1
local function top(a) local function inner() end local x = 1 end
function M.put(a) end
function M:pay() end
M.run = function() end
local t = { go = function() end, n = 1 }
return M
""",
        [
            ("M", "constant", 1),
            ("json", "import", 2),
            ("Global", "constant", 3),
            ("top", "function", 4),
            ("top.inner", "function", 4),
            ("M.put", "function", 5),
            ("M.pay", "method", 6),
            ("M.run", "function", 7),
            ("t", "constant", 8),
            ("t.go", "function", 8),
        ],
    ),
    "php": (
        """\
<?php
namespace Shop\\Inner;
use Other\\Thing;
require_once 'a.php';
const LIMIT = 1;
define('OLD', 1);
#[Entity]
abstract class Cart extends Base implements Shape {
  use Paying;
  const SIZE = 1;
  private int $n = 1;
  #[Test] public function total(int $a): int { $local = fn($x) => $x; return 1; }
  abstract function pay();
}
interface Shape { function area(); }
trait Paying { }
enum Kind: string { case A = 'a'; function label() {} }
function top($a) { }
$value = 1;
""",
        [
            ("Shop.Inner", "module", 2),
            ("Shop.Inner.Other.Thing", "import", 3),
            ("Shop.Inner.a.php", "import", 4),
            ("Shop.Inner.LIMIT", "constant", 5),
            ("Shop.Inner.OLD", "constant", 6),
            ("Shop.Inner.Cart", "class", 7),
            ("Shop.Inner.Cart.SIZE", "constant", 10),
            ("Shop.Inner.Cart.n", "constant", 11),
            ("Shop.Inner.Cart.total", "method", 12),
            ("Shop.Inner.Cart.pay", "method", 13),
            ("Shop.Inner.Shape", "class", 15),
            ("Shop.Inner.Shape.area", "method", 15),
            ("Shop.Inner.Paying", "class", 16),
            ("Shop.Inner.Kind", "class", 17),
            ("Shop.Inner.Kind.label", "method", 17),
            ("Shop.Inner.top", "function", 18),
            ("Shop.Inner.value", "constant", 19),
        ],
    ),
    "python": (
        """\
import os
from a.b import c

LIMIT = 3
first, second = 1, 2
os.x = 4

@cached
class Cart(Base):
    size: int = 1

    @property
    async def total(self):
        def inner():
            pass
        local = 1

for each in ():
    looped = 1
if LIMIT:
    import late
type Row = list[int]
""",
        [
            ("os", "import", 1),
            ("a.b", "import", 2),
            ("LIMIT", "constant", 4),
            ("first, second", "constant", 5),
            ("Cart", "class", 8),
            ("Cart.size", "constant", 10),
            ("Cart.total", "method", 12),
            ("Cart.total.inner", "function", 14),
            ("late", "import", 21),
            ("Row", "constant", 22),
        ],
    ),
    "ruby": (
        """\
require "json"
require_relative "other"
module Shop
  class A::Cart < Base
    SIZE = 1
    attr_reader :n
    def total(a) = 1
    def self.build
      local = 1
    end
    class << self
      def own; end
    end
    private def pay
    end
  end
end
def top; end
""",
        [
            ("json", "import", 1),
            ("other", "import", 2),
            ("Shop", "module", 3),
            ("Shop.A.Cart", "class", 4),
            ("Shop.A.Cart.SIZE", "constant", 5),
            ("Shop.A.Cart.total", "method", 7),
            ("Shop.A.Cart.build", "method", 8),
            ("Shop.A.Cart.own", "method", 12),
            ("Shop.A.Cart.pay", "method", 14),
            ("top", "function", 18),
        ],
    ),
    "ts": (
        """\
import type { A } from "a";
interface Shape { area(): number; side: number }
type Id = string;
enum Color { Red }
namespace N.M { export const deep = 1; }
declare module "m" { function g(): void; }
@Component({})
export abstract class Cart<T> {
  private size: number = 1;
  @Input() name: string;
  abstract pay(): void;
  @dec()
  total = (): number => 1;
}
export declare function f(a: number): void;
const g = <T,>(x: T) => x;
""",
        [
            ("a", "import", 1),
            ("Shape", "class", 2),
            ("Shape.area", "method", 2),
            ("Id", "constant", 3),
            ("Color", "class", 4),
            ("N.M", "module", 5),
            ("N.M.deep", "constant", 5),
            ("m", "module", 6),
            ("m.g", "function", 6),
            ("Cart", "class", 7),
            ("Cart.size", "constant", 9),
            ("Cart.name", "constant", 10),
            ("Cart.pay", "method", 11),
            ("Cart.total", "method", 12),
            ("f", "function", 15),
            ("g", "function", 16),
        ],
    ),
    "tsx": (
        """\
import { useState } from "react";
export const App = ({ name }: Props) => {
  const [n, setN] = useState(0);
  return <div title={name}>{n}</div>;
};
export function List(): JSX.Element { return <ul />; }
""",
        [
            ("react", "import", 1),
            ("App", "function", 2),
            ("List", "function", 6),
        ],
    ),
}
